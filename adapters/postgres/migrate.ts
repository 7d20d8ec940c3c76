import { type PostgresClient, requireRows } from './client.ts'
import { failureOf } from './failure.ts'
import { tableNamed } from './table.ts'

/** The comment on a table of this program begins so. */
const owner = 'pet-adoption-service schema'
const schemaVersion = 1

/**
 * Creates the table and index of the animals, or checks them if they exist.
 *
 * Any number of replicas may call it at once: a single statement, under a lock, does the work. A role that may not create
 * tables may call it once they exist.
 *
 * @param options - `table` is the table of the animals, `pets` by default.
 * @throws {TypeError} The table name is invalid, or the results of the client have no rows by column name.
 * @throws {StoreUnavailable} PostgreSQL does not respond.
 * @throws {Error} The table belongs to another program or a newer version, or the database is not encoded in UTF-8.
 * @example
 * import { createPostgresStore, migrate } from 'pet-adoption-service/postgres'
 * import pg from 'pg'
 *
 * const client = new pg.Pool({ connectionString: 'postgres://127.0.0.1/shelter' })
 * await migrate(client)
 * const store = createPostgresStore({ client })
 */
export async function migrate(client: PostgresClient, options: { table?: string } = {}): Promise<void> {
  const { name, index } = tableNamed(options.table ?? 'pets')
  try {
    await requireRows(client)
    await client.query(`
      DO $$
      DECLARE
        found text;
      BEGIN
        IF current_setting('server_encoding') <> 'UTF8' THEN
          RAISE 'the database is encoded in %, which cannot store every name: create one in UTF8',
            current_setting('server_encoding');
        END IF;
        PERFORM pg_advisory_xact_lock(hashtext('${owner}'));
        IF to_regclass('${name}') IS NULL THEN
          CREATE TABLE ${name} (
            id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991) PRIMARY KEY,
            name text NOT NULL,
            category_id bigint NOT NULL,
            status text CHECK (status IN ('available', 'pending', 'sold'))
          );
          CREATE INDEX ${index} ON ${name} (status, id);
          COMMENT ON TABLE ${name} IS '${owner} ${schemaVersion}';
        END IF;
        found := coalesce(obj_description(to_regclass('${name}'), 'pg_class'), '');
        IF found NOT LIKE '${owner} %' THEN
          RAISE 'the table % belongs to another program: name another table', '${name}';
        ELSIF found <> '${owner} ${schemaVersion}' THEN
          RAISE 'the table % was written by a newer version of this program (%; this one knows ${schemaVersion}): update it',
            '${name}', found;
        END IF;
      END $$`)
  } catch (error) {
    throw failureOf(error)
  }
}
