import { firstColumns, firstVersion } from '../sql/schema-versions.ts'
import type { Table } from './table.ts'

/** Returns the statements of a step from one schema version to the next, separated by semicolons. */
export type Migration = (table: Table) => string

const columns = firstColumns('bigint')

/** The migrations in their order. One that has been released never changes. */
export const migrations: readonly Migration[] = [
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
export const newestVersion: number = firstVersion + migrations.length - 1
