import { petStatuses } from '../../core/index.ts'
import { firstVersion } from '../sql/schema-versions.ts'

const statuses = petStatuses.map((status) => `'${status}'`).join(', ')

/**
 * The migrations in their order, as statements that semicolons separate. The first one creates the first version. They
 * only add, so a program of the version before goes on working, and one that has been released never changes.
 *
 * AUTOINCREMENT ensures that no id is used twice. The index ends in the id, as every index of SQLite does, so it lists
 * the animals of a status by ascending id. Times are in milliseconds since the epoch, hashes in lower-case hexadecimal
 * digits.
 */
export const migrations: readonly string[] = [
  `
      CREATE TABLE pets (
        id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 9007199254740991),
        name TEXT NOT NULL,
        category_id INTEGER NOT NULL,
        status TEXT CHECK (status IN (${statuses}))
      ) STRICT;
      CREATE INDEX pets_by_status ON pets (status);
      CREATE TABLE api_keys (
        sha256 TEXT PRIMARY KEY,
        id TEXT NOT NULL,
        plan TEXT NOT NULL,
        minute INTEGER,
        day INTEGER,
        label TEXT,
        created_at INTEGER NOT NULL,
        expires_at INTEGER,
        revoked_at INTEGER
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX api_keys_by_id ON api_keys (id);
      CREATE TABLE creation_keys (
        token TEXT PRIMARY KEY,
        fingerprint TEXT NOT NULL,
        pet_id INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX creation_keys_by_expiry ON creation_keys (expires_at);`,
]

/** The newest schema version, which this program uses. */
export const newestVersion: number = firstVersion + migrations.length - 1
