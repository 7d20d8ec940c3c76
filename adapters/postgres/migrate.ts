import type { PostgresClient } from './client.ts'
import { failureOf } from './failure.ts'
import { tableNamed } from './table.ts'

/** What a table of ours has for its comment. */
const owner = 'pet-adoption-service schema'
const schemaVersion = 1

/**
 * Creates the table and index of the animals where they are not there yet; else only checks them. Safe from any number
 * of replicas at once: it is one statement, under a lock of its own. A role that may not create tables can run it too,
 * once they are there.
 *
 * Rejects with an `Error` where the table belongs to another program or a newer version, or the database is not encoded
 * in UTF-8, with a `TypeError` for an unusable table name, and with `StoreUnavailable` where PostgreSQL does not answer.
 */
export async function migrate(client: PostgresClient, options: { table?: string } = {}): Promise<void> {
  const { name, index } = tableNamed(options.table ?? 'pets')
  try {
    await client.query(`
      DO $$
      DECLARE
        found text;
      BEGIN
        IF current_setting('server_encoding') <> 'UTF8' THEN
          RAISE 'the database is encoded in %, which cannot keep every name: create one in UTF8',
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
