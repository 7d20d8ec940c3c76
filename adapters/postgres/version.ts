import { type PostgresClient, rowsOf } from './client.ts'
import { migrations, type NewTable, newestVersion } from './migrations.ts'
import type { Table } from './table.ts'

/** The comment on a table of this program begins so. */
export const owner = 'pet-adoption-service schema'

/** The version where the table belongs to another program. */
const foreign = -1

/** The state with which a migration ends that finds a table of another program. No error of PostgreSQL has it. */
export const foreignTable = 'PTOTH'

/** What a database says about its schema. */
export interface FoundSchema {
  readonly version: number
  /** The tables of a later version that are there, of which a database of this version cannot know. */
  readonly leftOver: readonly string[]
}

/** Returns an expression for the schema version in the comment of a table; null where there is no table or no comment. */
export function statedVersion({ name }: Table): string {
  const comment = commentOf(name)
  return `CASE WHEN ${comment} ~ '^${owner} [0-9]{1,9}$' THEN substring(${comment} FROM '[0-9]+$')::int END`
}

/**
 * Returns an expression for the schema version of a table: 0 where there is none, -1 where it belongs to another program. A
 * version counts only with all of its tables, which a dump of the animals alone lacks.
 *
 * A dump without comments does not contain the version, so a table without a comment is recognized by its columns.
 */
export function versionExpression(table: Table): string {
  const cases = (differs: (added: NewTable) => string, first: number) =>
    migrations
      .map((added, version) => `WHEN ${added.map(differs).join(' OR ')} THEN ${version || first}`)
      .join('\n    ')
  return `CASE
    WHEN to_regclass('${table.name}') IS NULL THEN 0
    WHEN ${statedVersion(table)} > ${newestVersion} THEN ${statedVersion(table)}
    WHEN ${statedVersion(table)} IS NOT NULL THEN least(${statedVersion(table)}, CASE
      ${cases(({ part }) => `to_regclass('${table[part]}') IS NULL`, 0)} ELSE ${newestVersion} END)
    WHEN ${commentOf(table.name)} <> '' THEN ${foreign}
    ${cases(({ part, columns }) => `${columnsOf(table[part])} <> '${columns}'`, foreign)}
    ELSE ${newestVersion}
  END`
}

function commentOf(name: string): string {
  return `coalesce(obj_description(to_regclass('${name}'), 'pg_class'), '')`
}

/** Returns an expression for the columns of a table in their order, with their types; an empty text where there is no table. */
export function columnsOf(name: string): string {
  return `coalesce((SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum)
    FROM pg_attribute WHERE attrelid = to_regclass('${name}') AND attnum > 0 AND NOT attisdropped), '')`
}

/**
 * Reads the schema version of a table: 0 where there is none.
 *
 * @throws {Error} It belongs to another program or a newer version, or the database is not encoded in UTF-8.
 */
export async function findSchema(client: PostgresClient, table: Table): Promise<FoundSchema> {
  const later = migrations.flatMap((added, version) =>
    added.map(
      ({ part }) =>
        `CASE WHEN ${statedVersion(table)} <= ${version} AND to_regclass('${table[part]}') IS NOT NULL THEN '${table[part]}' END`,
    ),
  )
  const select = `SELECT ${versionExpression(table)} AS version, current_setting('server_encoding') AS encoding,
    concat_ws(',', ${later.join(', ')}) AS later`
  const read = async () => {
    const [row] = rowsOf<{ version: number; encoding: string; later: string }>(await client.query(select))
    return row ?? { version: 0, encoding: '', later: '' }
  }
  const first = await read()
  // The snapshot of a statement lacks the comment and columns of a table that is created meanwhile, but to_regclass finds it.
  const { version, encoding, later: leftOver } = first.version === foreign ? await read() : first
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
  return { version, leftOver: leftOver.split(',').filter(Boolean) }
}
