/** A statement parameter. 64-bit integers are passed as strings. */
export type SqliteValue = string | number | null

/** A prepared statement. */
export interface SqliteStatement {
  /** Runs the statement. */
  run(...values: SqliteValue[]): unknown
  /** Returns the first row. Without a row, some drivers return `undefined` and others `null`. */
  get(...values: SqliteValue[]): unknown
  /** Returns all rows. */
  all(...values: SqliteValue[]): unknown[]
}

/** An open database: a `DatabaseSync` from node:sqlite, or a `Database` from better-sqlite3 or bun:sqlite. */
export interface SqliteDatabase {
  /** Runs one or more statements without parameters. */
  exec(sql: string): unknown
  /** Prepares a statement. */
  prepare(sql: string): SqliteStatement
}

/** Options for {@link createSqliteStore}. */
export interface SqliteStoreOptions {
  /**
   * The open database: a `DatabaseSync` from node:sqlite, or a `Database` from better-sqlite3 or bun:sqlite. The store
   * does not close it. Do not change data over this connection, because reads are cached.
   */
  readonly database: SqliteDatabase
  /**
   * Maximum time to wait while another program writes to the file, in milliseconds. This applies to the start and to
   * each write. Writes also wait for an import or export on the same connection.
   *
   * @default 5000
   */
  readonly lockTimeoutMs?: number
}
