import { type PostgresClient, rowsOf } from './client.ts'
import type { Table } from './table.ts'

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
