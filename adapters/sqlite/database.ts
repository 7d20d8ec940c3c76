/** A value that is bound to a statement; int64 are bound as text. */
export type SqliteValue = string | number | null

/** A prepared statement. Its values are bound by position. */
export interface SqliteStatement {
  /** Runs the statement. */
  run(...values: SqliteValue[]): unknown
  /** Returns the first row. */
  get(...values: SqliteValue[]): unknown
  /** Returns all rows. */
  all(...values: SqliteValue[]): unknown[]
}

/** An open database: a `DatabaseSync` of node:sqlite, or a `Database` of better-sqlite3 or bun:sqlite. */
export interface SqliteDatabase {
  /** Runs statements without values. */
  exec(sql: string): unknown
  /** Prepares a statement. */
  prepare(sql: string): SqliteStatement
}
