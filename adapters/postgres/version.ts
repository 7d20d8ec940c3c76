import { type PostgresClient, rowsOf } from './client.ts'
import { migrations, newestVersion } from './migrations.ts'
import type { Table } from './table.ts'

/** The comment on a table of this program begins so. */
export const owner = 'pet-adoption-service schema'

/** The version where the table belongs to another program. */
const foreign = -1

/**
 * Returns an expression for the schema version of a table: 0 where there is none, -1 where it belongs to another program.
 *
 * A dump without comments does not contain the version, so a table without a comment is recognized by its columns.
 */
export function versionExpression(table: Table): string {
  const comment = `coalesce(obj_description(to_regclass('${table.name}'), 'pg_class'), '')`
  const byColumns = migrations.map(({ columns }, version) => {
    const differing = columns.map(([part, expected]) => `${columnsOf(table[part])} <> '${expected}'`)
    return `WHEN ${differing.join(' OR ')} THEN ${version || foreign}`
  })
  return `CASE
    WHEN to_regclass('${table.name}') IS NULL THEN 0
    WHEN ${comment} ~ '^${owner} [0-9]{1,9}$' THEN substring(${comment} FROM '[0-9]+$')::int
    WHEN ${comment} <> '' THEN ${foreign}
    ${byColumns.join('\n    ')}
    ELSE ${newestVersion}
  END`
}

/** Returns an expression for the columns of a table in their order, with their types; an empty text where there is no table. */
function columnsOf(name: string): string {
  return `coalesce((SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum)
    FROM pg_attribute WHERE attrelid = to_regclass('${name}') AND attnum > 0 AND NOT attisdropped), '')`
}

/**
 * Reads the schema version of a table: 0 where there is none.
 *
 * @throws {Error} It belongs to another program or a newer version, or the database is not encoded in UTF-8.
 */
export async function readVersion(client: PostgresClient, table: Table): Promise<number> {
  const select = `SELECT ${versionExpression(table)} AS version, current_setting('server_encoding') AS encoding`
  const [row] = rowsOf<{ version: number; encoding: string }>(await client.query(select))
  const { version, encoding } = row ?? { version: 0, encoding: '' }
  if (encoding !== 'UTF8')
    throw new Error(
      `the database is encoded in ${encoding}, which cannot store every name: create one in UTF8`,
    )
  if (version > newestVersion)
    throw new Error(
      `the table ${table.name} was written by a newer version of this program (schema ${version}; this one knows ${newestVersion}): update this program`,
    )
  if (version === foreign)
    throw new Error(
      `the table ${table.name} belongs to another program: name another table. If it is from a dump, restore its comment, which has the version: COMMENT ON TABLE ${table.name} IS '${owner} N'`,
    )
  return version
}
