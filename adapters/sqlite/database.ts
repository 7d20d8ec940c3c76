/** A value that is bound to a statement; int64 are bound as text. */
export type SqliteValue = string | number | null

/** A prepared statement. Its values are bound by position. */
export interface SqliteStatement {
  run(...values: SqliteValue[]): unknown
  get(...values: SqliteValue[]): unknown
  all(...values: SqliteValue[]): unknown[]
}

/** An open database: a `DatabaseSync` of node:sqlite, or a `Database` of better-sqlite3 or bun:sqlite. */
export interface SqliteDatabase {
  exec(sql: string): unknown
  prepare(sql: string): SqliteStatement
}
