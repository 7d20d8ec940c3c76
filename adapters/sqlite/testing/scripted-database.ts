import type { SqliteDatabase, SqliteStatement, SqliteValue } from '../database.ts'

/** A driver without SQLite. It records its statements, and returns rows and failures that a test sets. */
export interface ScriptedDatabase extends SqliteDatabase {
  /** Every statement that ran, in order. */
  readonly ran: string[]
  /** Returns the message of the error that a statement throws, if any. Tests set it. */
  failure: (sql: string) => string | undefined
  /** Returns the rows of a statement. Tests set it. */
  rows: (sql: string, values: readonly SqliteValue[]) => readonly object[]
}

/** The row of an empty file, for every statement that asks about it. */
const fileRow = { application: 0, version: 0, tables: 0, data_version: 1, total: 0 }

/** Creates a database that is empty and never fails. */
export function scriptDatabase(): ScriptedDatabase {
  function run(sql: string): void {
    database.ran.push(sql)
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
    ran: [],
    failure: () => undefined,
    rows(sql) {
      if (sql.startsWith('INSERT')) return [{ id: '1' }]
      return /pragma_|data_version|total_changes/.test(sql) ? [fileRow] : []
    },
    exec: run,
    prepare,
  }
  return database
}
