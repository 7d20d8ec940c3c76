import { petStatuses } from '../../core/index.ts'
import { firstVersion } from '../sql/schema-versions.ts'
import type { Table } from './table.ts'

/** Returns the statements of a step from one schema version to the next, separated by semicolons. */
export type Migration = (table: Table) => string

const statuses = petStatuses.map((status) => `'${status}'`).join(', ')

/** The migrations in their order. One that has been released never changes. */
export const migrations: readonly Migration[] = [
  // Times are in milliseconds since the epoch, hashes in lower-case hexadecimal digits. PostgreSQL names the other
  // indexes.
  ({ name, index, apiKeys, creations }) => `
    CREATE TABLE ${name} (
      id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991) PRIMARY KEY,
      name text NOT NULL,
      category_id bigint NOT NULL,
      status text CHECK (status IN (${statuses}))
    );
    CREATE INDEX ${index} ON ${name} (status, id);
    CREATE TABLE ${apiKeys} (
      sha256 text PRIMARY KEY,
      id text NOT NULL,
      plan text NOT NULL,
      minute bigint,
      day bigint,
      label text,
      created_at bigint NOT NULL,
      expires_at bigint,
      revoked_at bigint
    );
    CREATE INDEX ON ${apiKeys} (id);
    CREATE TABLE ${creations} (
      token text PRIMARY KEY,
      fingerprint text NOT NULL,
      pet_id bigint NOT NULL,
      expires_at bigint NOT NULL
    );
    CREATE INDEX ON ${creations} (expires_at);`,
]

/** The newest schema version, which this program uses. */
export const newestVersion: number = firstVersion + migrations.length - 1
