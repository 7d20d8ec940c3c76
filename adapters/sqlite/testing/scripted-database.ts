import type { SqliteDatabase, SqliteStatement, SqliteValue } from '../database.ts'

/** A driver without SQLite behind it: it writes down what it is asked, and fails when told to. */
export interface ScriptedDatabase extends SqliteDatabase {
  /** Every statement that ran, in order. */
  readonly ran: string[]
  /** How many statements were prepared. */
  readonly prepared: number
  /** The error that a statement fails with, if any; to be set. */
  failure: (sql: string) => string | undefined
  /** The rows that a statement answers; to be set. */
  rows: (sql: string, values: readonly SqliteValue[]) => readonly object[]
}

/** What a new file answers when it is asked whose it is. */
export const emptyFile = { application: 0, version: 0, tables: 0 }

export function scriptDatabase(): ScriptedDatabase {
  function run(sql: string): void {
    database.ran.push(sql)
    const failure = database.failure(sql)
    if (failure) throw new Error(failure)
  }
  function prepare(sql: string): SqliteStatement {
    prepared++
    const all = (...values: SqliteValue[]) => {
      run(sql)
      return [...database.rows(sql, values)]
    }
    return { all, get: (...values) => all(...values)[0], run: (...values) => void all(...values) }
  }
  let prepared = 0
  const database: ScriptedDatabase = {
    ran: [],
    failure: () => undefined,
    rows: (sql) => (sql.startsWith('INSERT') ? [{ id: '1' }] : sql.includes('pragma_') ? [emptyFile] : []),
    exec: run,
    prepare,
    get prepared() {
      return prepared
    },
  }
  return database
}
