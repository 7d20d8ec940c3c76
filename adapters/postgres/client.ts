/** A value that is bound to a statement; int64 are bound as text. */
export type PostgresValue = string | number | null

/**
 * A `Pool` or `Client` of pg, or an object with the same `query`. The rows are objects by column name.
 *
 * A driver whose results are arrays of rows is supported too. For the package postgres, pass
 * `{ query: (text, values) => sql.unsafe(text, values) }`. For @neondatabase/serverless, pass the result of `neon(url)`,
 * which has a `query`.
 */
export interface PostgresClient {
  query(text: string, values?: PostgresValue[]): Promise<PostgresResult>
  /**
   * How many statements wait for a connection, as a Pool of pg counts them. The stores give such a pool most statements as
   * one object, `{ name, text, values }`, so that each is prepared once for each connection.
   */
  readonly waitingCount?: number
}

/** A statement that is prepared once for each connection, under its name. */
export interface NamedStatement {
  readonly name: string
  readonly text: string
  readonly values: PostgresValue[]
}

/** A Pool of pg. */
export interface PostgresPool extends PostgresClient {
  readonly waitingCount: number
  query(statement: string | NamedStatement, values?: PostgresValue[]): Promise<PostgresResult>
}

/** What a driver returns for a statement: an object with the rows, or the rows. */
export type PostgresResult = { readonly rows: readonly unknown[] } | readonly unknown[]

/**
 * Checks the client of a store.
 *
 * @throws {TypeError} It is none; the message names the option.
 */
export function checkClient(client: PostgresClient): void {
  if (typeof client?.query !== 'function')
    throw new TypeError('options.client must have query(text, values), as a Pool of pg has')
}

/** Returns the rows of a result. The caller knows their shape. */
export function rowsOf<Row>(result: PostgresResult): readonly Row[] {
  return ('rows' in result ? result.rows : result) as readonly Row[]
}

/**
 * Checks that rows of a client can be read, with a statement that changes nothing.
 *
 * @throws {TypeError} Its results are of another kind.
 */
export async function requireRows(client: PostgresClient): Promise<void> {
  const result: unknown = await client.query(`SELECT 'yes' AS readable`)
  const rows: unknown = Array.isArray(result) ? result : (result as { rows?: unknown } | null)?.rows
  const [row]: unknown[] = Array.isArray(rows) ? rows : []
  if ((row as { readable?: unknown } | undefined)?.readable === 'yes') return
  throw new TypeError(
    'options.client must have query(text, values) whose result is { rows } or an array of rows, each an object by column name',
  )
}
