import { checkOptionNames } from '../../core/internal.ts'
import type { SchemaVersions } from '../sql/schema-versions.ts'
import { type PostgresClient, requireRows, rowsOf } from './client.ts'
import { failureOf } from './failure.ts'
import { migrations, type NewTable, newestVersion } from './migrations.ts'
import { type Table, tableNamed } from './table.ts'

/** The comment on a table of this program begins so. */
const owner = 'pet-adoption-service schema'

/** The version where the table belongs to another program. */
const foreign = -1

/** The state with which a migration ends that finds a table of another program. No error of PostgreSQL has it. */
const foreignTable = 'PTOTH'

/** How `migrate` is set up. */
export interface MigrateOptions {
  /** The table of the animals, as that of `createPostgresStore`. */
  readonly table?: string
}

/**
 * Creates the tables of the animals, or runs the migrations that they lack. Migrations only add, so programs of the version
 * before go on serving.
 *
 * A table of a later version that is there already, as after a restored dump of the version before, is adopted: a database
 * of that version knows nothing of its rows, and they are removed.
 *
 * Any number of replicas may call it at once: a single statement, under a lock, does the work. A role that may not create
 * tables may call it once the schema is the newest.
 *
 * @param options - `table` is the table of the animals, `pets` by default.
 * @throws {TypeError} The table name is invalid, or the results of the client have no rows by column name.
 * @throws {StoreUnavailable} PostgreSQL does not respond.
 * @throws {Error} The table belongs to another program or a newer version, the role may not create tables, or the database
 * is not encoded in UTF-8.
 * @returns the versions before and after; the same if nothing was missing.
 * @example
 * import { createPostgresStore, migrate } from 'pet-adoption-service/postgres'
 * import pg from 'pg'
 *
 * const client = new pg.Pool({ connectionString: 'postgres://127.0.0.1/shelter' })
 * await migrate(client)
 * const store = createPostgresStore({ client })
 */
export async function migrate(client: PostgresClient, options: MigrateOptions = {}): Promise<SchemaVersions> {
  const table = tableOf(options)
  const { version: from, leftOver } = await foundIn(client, table)
  const to = newestVersion
  if (from === to) return { from, to }
  try {
    await client.query(migration(table))
    return { from, to, ...(leftOver.length > 0 && { emptied: leftOver }) }
  } catch (error) {
    if (codeOf(error) === migratedBefore) return { from: to, to }
    throw failureOfMigration(error)
  }
}

/**
 * Reads the schema version of the tables of the animals, and the version that this program uses, without a change.
 *
 * @param options - `table` is the table of the animals, `pets` by default.
 * @throws {TypeError} The table name is invalid, or the results of the client have no rows by column name.
 * @throws {StoreUnavailable} PostgreSQL does not respond.
 * @throws {Error} The table belongs to another program or a newer version, or the database is not encoded in UTF-8.
 * @returns `to` is greater than `from` if `migrate` would change the database.
 * @example
 * import { readSchema } from 'pet-adoption-service/postgres'
 * import pg from 'pg'
 *
 * const client = new pg.Pool({ connectionString: 'postgres://127.0.0.1/shelter' })
 * const { from, to } = await readSchema(client)
 * if (from < to) console.log(`schema ${from}: migrate brings it to ${to}`)
 */
export async function readSchema(
  client: PostgresClient,
  options: MigrateOptions = {},
): Promise<SchemaVersions> {
  const { version } = await foundIn(client, tableOf(options))
  return { from: version, to: newestVersion }
}

function tableOf(options: MigrateOptions): Table {
  checkOptionNames(options, ['table'])
  return tableNamed(options.table ?? 'pets')
}

async function foundIn(client: PostgresClient, table: Table): ReturnType<typeof findSchema> {
  try {
    await requireRows(client)
    return await findSchema(client, table)
  } catch (error) {
    throw failureOf(error)
  }
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code
}

/** What to throw for an error of the migration. */
function failureOfMigration(cause: unknown): unknown {
  switch (codeOf(cause)) {
    case '42501':
      return new Error(
        'the role may not migrate the tables of the animals: migrate with the role that owns them, and may create tables next to them',
        { cause },
      )
    case foreignTable:
    case '42P07':
      return new Error(
        'another program has a table with the name of one of the animals: rename it, or name another table',
        { cause },
      )
    default:
      return failureOf(cause)
  }
}

/** The state with which the statement ends where another process has migrated the database in the meantime. */
const migratedBefore = 'PTMIG'

/**
 * Returns the statement that runs the missing migrations in one transaction. New tables are created in the schema of the
 * animals' table, wherever the search path has found it.
 */
function migration(table: Table): string {
  const steps = migrations.flatMap((added, version) => [
    ...added.map(({ part, columns, sql }) => {
      const name = table[part]
      return `
      IF to_regclass('${name}') IS NULL THEN
        ${sql(table)}
      ELSIF stated <= ${version} THEN
        IF ${columnsOf(name)} <> '${columns}' THEN RAISE EXCEPTION USING ERRCODE = '${foreignTable}', MESSAGE = '${name}'; END IF;
        DELETE FROM ${name};
      END IF;`
    }),
    `
      IF coalesce(stated, 0) <= ${version} THEN COMMENT ON TABLE ${table.name} IS '${owner} ${version + 1}'; END IF;`,
  ])
  return `
    DO $migration$
    DECLARE
      stated int;
      path text := current_setting('search_path');
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtext('${owner}'));
      IF (${versionExpression(table)}) = ${newestVersion} THEN RAISE EXCEPTION USING ERRCODE = '${migratedBefore}'; END IF;
      stated := ${statedVersion(table)};
      PERFORM set_config('search_path', concat_ws(', ', quote_ident(nspname), nullif(path, '')), true)
        FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE pg_class.oid = to_regclass('${table.name}');
      ${steps.join('')}
      PERFORM set_config('search_path', path, true);
    END $migration$`
}

/** Returns an expression for the schema version in the comment of a table; null where there is no table or no comment. */
function statedVersion({ name }: Table): string {
  const comment = commentOf(name)
  return `CASE WHEN ${comment} ~ '^${owner} [0-9]{1,9}$' THEN substring(${comment} FROM '[0-9]+$')::int END`
}

/**
 * Returns an expression for the schema version of a table: 0 where there is none, -1 where it belongs to another program. A
 * version counts only with all of its tables, which a dump of the animals alone lacks.
 *
 * A dump without comments does not contain the version, so a table without a comment is recognized by its columns.
 */
function versionExpression(table: Table): string {
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
function columnsOf(name: string): string {
  return `coalesce((SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum)
    FROM pg_attribute WHERE attrelid = to_regclass('${name}') AND attnum > 0 AND NOT attisdropped), '')`
}

/**
 * Reads the schema version of a table, 0 where there is none, and which tables of a later version are there.
 *
 * @throws {Error} It belongs to another program or a newer version, or the database is not encoded in UTF-8.
 */
async function findSchema(client: PostgresClient, table: Table) {
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
