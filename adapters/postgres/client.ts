import { sha256 } from '../../core/index.ts'
import { readCode, toFailure } from './failure.ts'

/**
 * A value that is bound to a statement. Statements declare each parameter as text, such as `$1::text::bigint` for an
 * int64, since drivers serialize some types in their own way: the package postgres sends false for the text `true`.
 */
export type PostgresValue = string | number | null

/**
 * A `Pool` or `Client` of pg, or an object with the same `query`. The rows are objects by column name.
 *
 * A driver whose results are arrays of rows is supported too. For the package postgres, pass
 * `{ query: (text, values) => sql.unsafe(text, values) }`. For @neondatabase/serverless, pass the result of
 * `neon(url)`, which has a `query`. A PGlite is such a client.
 */
export interface PostgresClient {
  /** Runs a statement with the values of `$1`, `$2` and so on. */
  query(text: string, values?: PostgresValue[]): Promise<PostgresResult>
  /**
   * Number of statements that wait for a connection. Only a Pool of pg has it. The stores pass such a pool most
   * statements as one object, `{ name, text, values }`, so that each is prepared once per connection.
   */
  readonly waitingCount?: number
}

/** Options of `createPostgresStore`. */
export interface PostgresStoreOptions {
  /**
   * A `Pool` of pg, or an object with the same `query`. A pool reconnects when PostgreSQL is back; a single `Client`
   * does not. Set `connectionTimeoutMillis` and `query_timeout` of the pool, which bound the wait for a PostgreSQL that
   * is silent, and listen to its `error` event, which ends the process otherwise.
   */
  readonly client: PostgresClient
  /** The table of the animals; `pets` by default. `schema.table` names one outside the search path. */
  readonly table?: string
}

/** A statement that is prepared once per connection, under its name. */
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

/** The result of a statement: an object with the rows, or the rows. */
export type PostgresResult = { readonly rows: readonly unknown[] } | readonly unknown[]

/** Returns the rows of a result. The caller knows their shape. */
export function readRows<Row>(result: PostgresResult): readonly Row[] {
  return ('rows' in result ? result.rows : result) as readonly Row[]
}

/** Runs a statement and returns its rows, whose shape the caller knows. */
export type Query = <Row>(text: string, values?: PostgresValue[]) => Promise<readonly Row[]>

/**
 * The codes of a named statement that failed before it did anything. The name is unknown or taken, since a pooler has
 * lent another connection, or the table was changed since it was prepared.
 */
const nameFailures: readonly unknown[] = ['26000', '42P05', '0A000']

/** The codes of a transaction that PostgreSQL has rolled back in favor of another: a conflict or a deadlock. */
const conflicts: readonly unknown[] = ['40001', '40P01']

/**
 * Returns a function that runs the statements of a store, each in a transaction of its own, and retries a statement once
 * after a conflict. It rejects with the error of `toFailure`.
 *
 * A pool of pg prepares each statement once per connection, under a name that is made of its text. After the first
 * failure of a name, statements have no names: the server is a PgBouncer before 1.21 in transaction mode.
 *
 * @throws {TypeError} The client is invalid; the message names the option.
 */
export function createQuery(client: PostgresClient): Query {
  if (typeof client?.query !== 'function')
    throw new TypeError('options.client must have query(text, values), as a Pool of pg has')
  const names = new Map<string, string>()
  /** The client, while its statements have names. Only a pool of pg has this member. */
  let namingPool = client.waitingCount === undefined ? undefined : (client as PostgresPool)

  function findName(text: string): string {
    const known = names.get(text)
    if (known) return known
    const name = `pet_adoption_${sha256(text).slice(0, 32)}`
    names.set(text, name)
    return name
  }

  async function run(text: string, values: PostgresValue[]): Promise<PostgresResult> {
    if (!namingPool) return client.query(text, values)
    try {
      return await namingPool.query({ name: findName(text), text, values })
    } catch (error) {
      if (!nameFailures.includes(readCode(error))) throw error
      namingPool = undefined
      return client.query(text, values)
    }
  }

  return async <Row>(text: string, values: PostgresValue[] = []) => {
    for (let isRetry = false; ; isRetry = true) {
      try {
        return readRows<Row>(await run(text, values))
      } catch (error) {
        if (isRetry || !conflicts.includes(readCode(error))) throw toFailure(error)
      }
    }
  }
}
