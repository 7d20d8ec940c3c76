import { petStatuses } from '../../core/index.ts'

/** The schema versions of a database before and after a migration. Version 0 is one without the tables. */
export interface SchemaVersions {
  /** The version that was found; 0 without a schema. */
  readonly from: number
  /** The version that this package needs. */
  readonly to: number
}

const statuses = petStatuses.map((status) => `'${status}'`).join(', ')

/**
 * The columns of the first version. Times are in milliseconds since the epoch, hashes in lower-case hexadecimal digits.
 * Released columns never change.
 *
 * @param whole - The type of whole numbers.
 */
export const firstColumns = (
  whole: 'bigint' | 'INTEGER',
): Readonly<Record<'pets' | 'keys' | 'creations', string>> => ({
  pets: `
        name text NOT NULL,
        category_id ${whole} NOT NULL,
        status text CHECK (status IN (${statuses}))`,
  keys: `
        sha256 text PRIMARY KEY,
        id text NOT NULL,
        plan text NOT NULL,
        minute ${whole},
        day ${whole},
        label text,
        created_at ${whole} NOT NULL,
        expires_at ${whole},
        revoked_at ${whole}`,
  creations: `
        token text PRIMARY KEY,
        fingerprint text NOT NULL,
        pet_id ${whole} NOT NULL,
        expires_at ${whole} NOT NULL`,
})

/** The schema version of 1.0.0. Databases from before 1.0.0 have a lower one. */
export const firstVersion = 2

/** Throws an `Error` that says what to do, unless this program can use the schema that a table or a file has. */
export function requireKnownVersion(name: string, version: number, newest: number): void {
  if (version > newest)
    throw new Error(
      `${name} was written by a newer version of this program (schema ${version}; this one knows ${newest}): update this program`,
    )
  if (version < firstVersion)
    throw new Error(
      `${name} was written by a version before 1.0.0 (schema ${version}): export its animals with that version, and import them into a new one`,
    )
}
