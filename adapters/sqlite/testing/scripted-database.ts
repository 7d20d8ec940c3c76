import type { SqliteDatabase, SqliteStatement, SqliteValue } from '../database.ts'

/** A driver without SQLite, whose rows and failures are up to the test. */
export interface ScriptedDatabase extends SqliteDatabase {
  /** The statements that were executed. */
  readonly executed: string[]
  /** Returns the error message if a statement should fail. */
  failure: (sql: string) => string | undefined
  /** Returns the rows for a statement. */
  rows: (sql: string, values: readonly SqliteValue[]) => readonly object[]
}

/** The row for queries about the file, which is empty. */
const fileRow = { application: 0, version: 0, tables: 0, pages: 0, data_version: 1 }

/** Creates an empty database. No statement fails by default. */
export function scriptDatabase(): ScriptedDatabase {
  function run(sql: string): void {
    database.executed.push(sql)
    const failure = database.failure(sql)
    if (failure) throw new Error(failure)
  }
  function prepare(sql: string): SqliteStatement {
    const all = (...values: SqliteValue[]) => {
      run(sql)
      return [...database.rows(sql, values)]
    }
    return { all, get: (...values) => all(...values)[0] ?? null, run: (...values) => void all(...values) }
  }
  const database: ScriptedDatabase = {
    executed: [],
    failure: () => undefined,
    rows(sql) {
      if (sql.startsWith('INSERT')) return [{ id: '1' }]
      return /pragma_|data_version/.test(sql) ? [fileRow] : []
    },
    exec: run,
    prepare,
  }
  return database
}
