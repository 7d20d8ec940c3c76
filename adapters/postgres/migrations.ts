import { petStatuses } from '../../core/index.ts'
import type { Table } from './table.ts'

/** A step from one schema version to the next. A program of the version before goes on working. */
export type Migration = readonly NewTable[]

/** A table that a migration adds. */
export interface NewTable {
  readonly part: Exclude<keyof Table, 'index'>
  /** Its columns in their order, by which a table without a version is recognized. */
  readonly columns: string
  /** The statements that create it and its indexes, separated by semicolons. */
  sql(table: Table): string
}

const statuses = petStatuses.map((status) => `'${status}'`).join(', ')

/** The migrations in their order. The first one creates version 1. One that has been released never changes. */
export const migrations: readonly Migration[] = [
  [
    {
      part: 'name',
      columns: 'id bigint, name text, category_id bigint, status text',
      sql: ({ name, index }) => `
      CREATE TABLE ${name} (
        id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991) PRIMARY KEY,
        name text NOT NULL,
        category_id bigint NOT NULL,
        status text CHECK (status IN (${statuses}))
      );
      CREATE INDEX ${index} ON ${name} (status, id);`,
    },
  ],
  // Times are in milliseconds since the epoch, hashes in lower-case hexadecimal digits. PostgreSQL names the indexes.
  [
    {
      part: 'apiKeys',
      columns:
        'sha256 text, id text, plan text, minute bigint, day bigint, label text, created_at bigint, expires_at bigint, revoked_at bigint',
      sql: ({ apiKeys }) => `
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
      CREATE INDEX ON ${apiKeys} (id);`,
    },
    {
      part: 'creations',
      columns: 'token text, fingerprint text, pet_id bigint, expires_at bigint',
      sql: ({ creations }) => `
      CREATE TABLE ${creations} (
        token text PRIMARY KEY,
        fingerprint text NOT NULL,
        pet_id bigint NOT NULL,
        expires_at bigint NOT NULL
      );
      CREATE INDEX ON ${creations} (expires_at);`,
    },
  ],
]

/** The newest schema version, which this program uses. */
export const newestVersion: number = migrations.length
