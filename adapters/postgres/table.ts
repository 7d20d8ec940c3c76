import { type PostgresClient, rowsOf } from './client.ts'

/** The names of the animals' table and of what belongs to it, quoted for a statement. */
export interface Table {
  readonly name: string
  readonly index: string
  /** The keys of callers. */
  readonly apiKeys: string
  /** The creations that may be sent again, by their key. */
  readonly creations: string
}

/**
 * Reads a table name such as `pets` or `shelter.pets`.
 *
 * @throws {TypeError} It has other characters than lower-case letters, digits and underscores.
 */
export function tableNamed(option: string): Table {
  const [, schema = '', table] = /^([a-z_][a-z0-9_]{0,50}\.)?([a-z_][a-z0-9_]{0,50})$/.exec(option) ?? []
  if (table === undefined)
    throw new TypeError('options.table must be a name such as pets or shelter.pets, of a-z, 0-9 and _')
  const prefix = schema && `"${schema.slice(0, -1)}".`
  return {
    name: `${prefix}"${table}"`,
    index: `"${table}_by_status"`,
    apiKeys: `${prefix}"${table}_api_keys"`,
    creations: `${prefix}"${table}_creations"`,
  }
}

/** What the requests to a server need. Commands that change keys or animals need more. */
const needed: readonly { readonly part: keyof Table; readonly privileges: readonly string[] }[] = [
  { part: 'name', privileges: ['SELECT', 'INSERT'] },
  { part: 'apiKeys', privileges: ['SELECT'] },
  { part: 'creations', privileges: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] },
]

/**
 * Returns the `GRANT` statements that the role of a client lacks to serve requests; an empty text where it lacks none.
 *
 * @throws {Error} A table does not exist.
 */
export async function missingGrants(client: PostgresClient, table: Table): Promise<string> {
  const objects = needed.flatMap(({ part, privileges }, place) =>
    privileges.map(
      (privilege) =>
        `(${place}, '${table[part]}', '${privilege}', has_table_privilege('${table[part]}', '${privilege}'))`,
    ),
  )
  const sequence = `pg_get_serial_sequence('${table.name}', 'id')`
  objects.push(`(9, 'SEQUENCE ' || ${sequence}, 'USAGE', has_sequence_privilege(${sequence}, 'USAGE'))`)
  const select = `
    SELECT format('GRANT %s ON %s TO %I;', string_agg(privilege, ', '), object, current_user) AS statement
    FROM (VALUES ${objects.join(', ')}) AS needed (place, object, privilege, is_granted)
    WHERE NOT is_granted GROUP BY place, object ORDER BY place`
  const rows = rowsOf<{ statement: string }>(await client.query(select))
  return rows.map(({ statement }) => statement).join(' ')
}
