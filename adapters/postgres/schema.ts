import { anyValueRule, checkOptions } from '../../core/internal.ts'
import { type SchemaVersions, StartupError } from '../backend/index.ts'
import { createFirstColumns, firstVersion, requireKnownVersion } from '../sql/schema-versions.ts'
import { createQuery, createSend, type PostgresClient, type PostgresStoreOptions } from './client.ts'
import { readErrorCode, toStoreError } from './failure.ts'
import { type TableNames, toTableNames } from './table.ts'

const columns = createFirstColumns('bigint')

/** The migrations in order, as SQL. A released migration never changes. */
const migrations: readonly ((table: TableNames) => string)[] = [
  // The indexes without a name get one from PostgreSQL.
  ({ name, statusIndex, apiKeys, creations }) => `
    CREATE TABLE ${name} (
      id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991) PRIMARY KEY,${columns.pets}
    );
    CREATE INDEX ${statusIndex} ON ${name} (status, id);
    CREATE TABLE ${apiKeys} (${columns.keys}
    );
    CREATE INDEX ON ${apiKeys} (id);
    CREATE TABLE ${creations} (${columns.creations}
    );
    CREATE INDEX ON ${creations} (expires_at);`,
]

/** The schema version that this program uses. */
const newestVersion = firstVersion + migrations.length - 1

/** The animal table's comment consists of this prefix and the schema version. */
const commentPrefix = 'pet-adoption-service schema'

/**
 * Creates the tables for animals, API keys and idempotency keys, or runs their pending migrations. Migrations only add
 * to the tables, so programs with the previous version continue to work.
 *
 * Any number of processes can call this function at the same time, because one statement with a lock does the work. A
 * role without the privilege to create tables can call it if nothing is pending.
 *
 * @param client - The client or pool, as in {@link PostgresStoreOptions}.
 * @param options - The option `table` has the same meaning as in {@link PostgresStoreOptions}.
 * @returns The schema versions before and after. They are equal if nothing was pending, or if another process ran the
 * migrations.
 * @throws {TypeError} If the table name is invalid, or if the client does not return rows as objects by column name.
 * @throws {StartupError} If the table belongs to another program or an unsupported version, if the role may not create
 * tables, or if the database's encoding is not UTF-8.
 * @throws {StoreUnavailableError} If PostgreSQL does not respond.
 *
 * @example
 * import { createPostgresStore, migrate } from 'pet-adoption-service/postgres'
 * import pg from 'pg'
 *
 * const client = new pg.Pool({ connectionString: 'postgres://127.0.0.1/shelter' })
 * await migrate(client)
 * const store = createPostgresStore({ client })
 */
export async function migrate(
  client: PostgresClient,
  options: Pick<PostgresStoreOptions, 'table'> = {},
): Promise<SchemaVersions> {
  checkOptions(options, { table: anyValueRule })
  return migrateTables(client, toTableNames(options.table ?? 'pets'))
}

/** Migrates tables to the current version, as {@link migrate} does. */
export async function migrateTables(client: PostgresClient, table: TableNames): Promise<SchemaVersions> {
  const from = await readSchemaVersion(client, table)
  if (from === newestVersion) return { from, to: from }
  try {
    await client.query(createMigration(table, from))
    return { from, to: newestVersion }
  } catch (error) {
    const code = readErrorCode(error)
    if (code === alreadyMigratedCode) return { from: newestVersion, to: newestVersion }
    if (code !== '42501') throw toStoreError(error)
    throw new StartupError(
      'unusable',
      'the role may not migrate the animal tables: migrate with the role that owns them and can create tables in their schema',
      { cause: error },
    )
  }
}

/** SQLSTATE code that a migration raises if another process has already finished it. */
const alreadyMigratedCode = 'PTMIG'

/** Returns a statement that runs the pending migrations in one transaction, one process at a time. */
function createMigration(table: TableNames, version: number): string {
  const missing = migrations.slice(version === 0 ? 0 : version - firstVersion + 1)
  return `
    DO $migration$
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtext('${commentPrefix}'));
      IF (${createCommentQuery(table)}) = '${commentPrefix} ${newestVersion}' THEN
        RAISE EXCEPTION USING ERRCODE = '${alreadyMigratedCode}';
      END IF;
      ${missing.map((statements) => statements(table)).join('')}
      COMMENT ON TABLE ${table.name} IS '${commentPrefix} ${newestVersion}';
    END $migration$`
}

/** Returns a query for the comment on the animal table. The query returns no row if the table does not exist. */
function createCommentQuery({ name }: TableNames): string {
  return `SELECT comment FROM pg_class, coalesce(obj_description(pg_class.oid, 'pg_class'), '') AS comment WHERE pg_class.oid = to_regclass('${name}')`
}

/**
 * Checks that the tables have the current version.
 *
 * @throws {StartupError} If the tables are missing, outdated or unusable.
 */
export async function requireNewestVersion(
  client: PostgresClient,
  table: TableNames,
): Promise<SchemaVersions> {
  const from = await readSchemaVersion(client, table)
  if (from === newestVersion) return { from, to: from }
  const problem =
    from === 0 ? 'does not exist' : `has schema ${from}, but this program needs ${newestVersion}`
  throw new StartupError('unusable', `the table ${table.name} ${problem}: migrate the database`)
}

/**
 * Returns the schema version from the table's comment, or 0 if the table does not exist.
 *
 * @throws {StartupError} If the table or its database is unusable.
 */
async function readSchemaVersion(client: PostgresClient, table: TableNames): Promise<number> {
  const select = `SELECT current_setting('server_encoding') AS encoding, (${createCommentQuery(table)}) AS comment`
  const [row] = await createQuery(createSend(client))<{ encoding?: string; comment?: string | null }>(select)
  const { encoding, comment } = row ?? {}
  if (encoding === undefined) throw new TypeError('options.client must return rows as objects by column name')
  if (encoding !== 'UTF8')
    throw new StartupError(
      'unusable',
      `the database encoding ${encoding} cannot store every name: create a database with encoding UTF8`,
    )
  if (typeof comment !== 'string') return 0
  const [, version] = new RegExp(`^${commentPrefix} ([0-9]{1,9})$`).exec(comment) ?? []
  if (version === undefined)
    throw new StartupError(
      'unusable',
      `the table ${table.name} belongs to another program: choose another table. If it was restored from a dump, restore its comment with the schema version too: COMMENT ON TABLE ${table.name} IS '${commentPrefix} N'`,
    )
  requireKnownVersion(`the table ${table.name}`, Number(version), newestVersion)
  return Number(version)
}
