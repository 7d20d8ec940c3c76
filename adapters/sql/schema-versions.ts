import { petStatuses } from '../../core/index.ts'
import { StartupError } from '../backend/index.ts'

const statuses = petStatuses.map((status) => `'${status}'`).join(', ')

/**
 * Returns each table's columns in the first supported schema version. Times are in milliseconds since the epoch, and
 * hashes are lower-case hexadecimal. Released columns never change.
 *
 * @param integerType - The database's type for 64-bit integers.
 */
export const createFirstColumns = (
  integerType: 'bigint' | 'INTEGER',
): Readonly<Record<'pets' | 'keys' | 'creations', string>> => ({
  pets: `
        name text NOT NULL,
        category_id ${integerType} NOT NULL,
        status text CHECK (status IN (${statuses}))`,
  keys: `
        sha256 text PRIMARY KEY,
        id text NOT NULL,
        plan text NOT NULL,
        minute ${integerType},
        day ${integerType},
        label text,
        created_at ${integerType} NOT NULL,
        expires_at ${integerType},
        revoked_at ${integerType}`,
  creations: `
        token text PRIMARY KEY,
        fingerprint text NOT NULL,
        pet_id ${integerType} NOT NULL,
        expires_at ${integerType} NOT NULL`,
})

/** The schema version that release 1.0.0 wrote. Older versions are not migrated. */
export const firstVersion = 2

/**
 * Checks that this program can use a schema version.
 *
 * @param name - The table or file, for the message.
 * @throws {StartupError} If the schema is from a newer program, or from one before 1.0.0.
 */
export function requireKnownVersion(name: string, version: number, newest: number): void {
  if (version > newest)
    throw new StartupError(
      'unusable',
      `${name} was written by a newer version of this program (schema ${version}; this one supports ${newest}): update this program`,
    )
  if (version < firstVersion)
    throw new StartupError(
      'unusable',
      `${name} was written by a version before 1.0.0 (schema ${version}): export its animals with that version, and import them into a new database`,
    )
}
