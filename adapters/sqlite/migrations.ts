import { firstColumns, firstVersion } from '../sql/schema-versions.ts'

const columns = firstColumns('INTEGER')

/**
 * The migrations in their order, as statements that semicolons separate. The first one creates the first version. They
 * only add, so a program of the version before goes on working, and one that has been released never changes.
 *
 * AUTOINCREMENT ensures that no id is used twice. The index ends in the id, as every index of SQLite does, so it lists
 * the animals of a status by ascending id.
 */
export const migrations: readonly string[] = [
  `
      CREATE TABLE pets (
        id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 9007199254740991),${columns.pets}
      ) STRICT;
      CREATE INDEX pets_by_status ON pets (status);
      CREATE TABLE api_keys (${columns.keys}
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX api_keys_by_id ON api_keys (id);
      CREATE TABLE creation_keys (${columns.creations}
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX creation_keys_by_expiry ON creation_keys (expires_at);`,
]

/** The newest schema version, which this program uses. */
export const newestVersion: number = firstVersion + migrations.length - 1
