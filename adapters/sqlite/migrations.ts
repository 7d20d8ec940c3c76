import { petStatuses } from '../../core/index.ts'

/** A step from one schema version to the next, by the table that it adds. A program of the version before goes on working. */
export type Migration = Readonly<Record<string, NewTable>>

/** A table that a migration adds. */
export interface NewTable {
  /** Its columns, by which a file without a version is recognized. */
  readonly columns: string
  /** The statements that create it and its indexes, separated by semicolons. */
  readonly sql: string
}

const statuses = petStatuses.map((status) => `'${status}'`).join(', ')

/** The migrations in their order. The first one creates version 1. One that has been released never changes. */
export const migrations: readonly Migration[] = [
  {
    // AUTOINCREMENT ensures that no id is used twice. The index ends in the id, as every index of SQLite does, so it lists
    // the animals of a status by ascending id.
    pets: {
      columns: 'id INTEGER, name TEXT, category_id INTEGER, status TEXT',
      sql: `
      CREATE TABLE pets (
        id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 9007199254740991),
        name TEXT NOT NULL,
        category_id INTEGER NOT NULL,
        status TEXT CHECK (status IN (${statuses}))
      ) STRICT;
      CREATE INDEX pets_by_status ON pets (status);`,
    },
  },
  {
    // Times are in milliseconds since the epoch, hashes in lower-case hexadecimal digits.
    api_keys: {
      columns:
        'sha256 TEXT, id TEXT, plan TEXT, minute INTEGER, day INTEGER, label TEXT, created_at INTEGER, expires_at INTEGER, revoked_at INTEGER',
      sql: `
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
      CREATE INDEX api_keys_by_id ON api_keys (id);`,
    },
    creation_keys: {
      columns: 'token TEXT, fingerprint TEXT, pet_id INTEGER, expires_at INTEGER',
      sql: `
      CREATE TABLE creation_keys (
        token TEXT PRIMARY KEY,
        fingerprint TEXT NOT NULL,
        pet_id INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX creation_keys_by_expiry ON creation_keys (expires_at);`,
    },
  },
]

/** The newest schema version, which this program uses. */
export const newestVersion: number = migrations.length
