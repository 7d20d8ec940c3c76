import { anyValue, checkOptions } from '../../core/internal.ts'
import {
  firstColumns,
  firstVersion,
  requireKnownVersion,
  type SchemaVersions,
} from '../sql/schema-versions.ts'
import { createQuery, type PostgresClient, type PostgresStoreOptions } from './client.ts'
import { readCode, toFailure } from './failure.ts'
import { type Table, toTable } from './table.ts'

const columns = firstColumns('bigint')

/** The migrations in their order, as statements that semicolons separate. A released migration never changes. */
const migrations: readonly ((table: Table) => string)[] = [
  // PostgreSQL names the other indexes.
  ({ name, index, apiKeys, creations }) => `
    CREATE TABLE ${name} (
      id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991) PRIMARY KEY,${columns.pets}
    );
    CREATE INDEX ${index} ON ${name} (status, id);
    CREATE TABLE ${apiKeys} (${columns.keys}
    );
    CREATE INDEX ON ${apiKeys} (id);
    CREATE TABLE ${creations} (${columns.creations}
    );
    CREATE INDEX ON ${creations} (expires_at);`,
]

/** The newest schema version, which this program uses. */
const newestVersion = firstVersion + migrations.length - 1

/** The comment on the table of the animals, without the version at its end. */
const owner = 'pet-adoption-service schema'

/**
 * Creates the tables of the animals, or runs the migrations that they lack. Migrations only add, so programs of the
 * version before continue to work.
 *
 * Any number of replicas may call it simultaneously: one statement under a lock does the work. A role that may not
 * create tables may call it if the schema is the newest.
 *
 * @param options - `table` is the table of the animals, `pets` by default.
 * @throws {TypeError} The table name is invalid, or the results of the client have no rows by column name.
 * @throws {StoreUnavailable} PostgreSQL does not respond.
 * @throws {Error} The table belongs to another program, a newer version or an older one, the role may not create
 * tables, or the database is not encoded in UTF-8.
 * @returns The versions before and after. They are equal if nothing was missing, or if another process has migrated.
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
  checkOptions(options, { table: anyValue })
  const table = toTable(options.table ?? 'pets')
  const from = await findVersion(client, table)
  if (from === newestVersion) return { from, to: from }
  try {
    await client.query(migration(table, from))
    return { from, to: newestVersion }
  } catch (error) {
    const code = readCode(error)
    if (code === migratedBefore) return { from: newestVersion, to: newestVersion }
    if (code !== '42501') throw toFailure(error)
    throw new Error(
      'the role may not migrate the tables of the animals: migrate with the role that owns them, and may create tables next to them',
      { cause: error },
    )
  }
}

/** The error code of the statement if another process has migrated the database meanwhile. */
const migratedBefore = 'PTMIG'

/** Returns the statement that runs the migrations after a version, in one transaction. */
function migration(table: Table, version: number): string {
  const missing = migrations.slice(version === 0 ? 0 : version - firstVersion + 1)
  return `
    DO $migration$
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtext('${owner}'));
      IF (${createCommentQuery(table)}) = '${owner} ${newestVersion}' THEN
        RAISE EXCEPTION USING ERRCODE = '${migratedBefore}';
      END IF;
      ${missing.map((statements) => statements(table)).join('')}
      COMMENT ON TABLE ${table.name} IS '${owner} ${newestVersion}';
    END $migration$`
}

/** Returns a query for the comment of a table, empty by default. It has no row if the table does not exist. */
function createCommentQuery({ name }: Table): string {
  return `SELECT comment FROM pg_class, coalesce(obj_description(pg_class.oid, 'pg_class'), '') AS comment WHERE pg_class.oid = to_regclass('${name}')`
}

/**
 * Reads the schema version of a table; 0 if the table does not exist.
 *
 * @throws {Error} The tables cannot be used; the message says what to do.
 */
export async function findVersion(client: PostgresClient, table: Table): Promise<number> {
  const select = `SELECT current_setting('server_encoding') AS encoding, (${createCommentQuery(table)}) AS comment`
  const [row] = await createQuery(client)<{ encoding?: string; comment?: string | null }>(select)
  const { encoding, comment } = row ?? {}
  if (encoding === undefined)
    throw new TypeError('options.client must return rows that are objects by column name')
  if (encoding !== 'UTF8')
    throw new Error(
      `the database is encoded in ${encoding}, which cannot store every name: create one in UTF8`,
    )
  if (typeof comment !== 'string') return 0
  const [, version] = new RegExp(`^${owner} ([0-9]{1,9})$`).exec(comment) ?? []
  if (version === undefined)
    throw new Error(
      `the table ${table.name} belongs to another program: name another table. If it is from a dump, restore its comment, which has the version: COMMENT ON TABLE ${table.name} IS '${owner} N'`,
    )
  requireKnownVersion(`the table ${table.name}`, Number(version), newestVersion)
  return Number(version)
}
