import { firstColumns, firstVersion } from '../sql/schema-versions.ts'
import type { Table } from './table.ts'

const columns = firstColumns('bigint')

/** The migrations in their order, as statements that semicolons separate. One that has been released never changes. */
export const migrations: readonly ((table: Table) => string)[] = [
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
