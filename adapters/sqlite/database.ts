/** What is bound to a statement: int64 as text. */
export type SqliteValue = string | number | null

/** A prepared statement, whose values are bound by their order. */
export interface SqliteStatement {
  run(...values: SqliteValue[]): unknown
  get(...values: SqliteValue[]): unknown
  all(...values: SqliteValue[]): unknown[]
}

/** An open database: a `DatabaseSync` of node:sqlite, a `Database` of better-sqlite3 or bun:sqlite, as it is. */
export interface SqliteDatabase {
  exec(sql: string): unknown
  prepare(sql: string): SqliteStatement
}
