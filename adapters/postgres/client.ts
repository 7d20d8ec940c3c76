import { sha256 } from '../../core/index.ts'
import { readErrorCode, toStoreError } from './failure.ts'
import { waitUntilFree } from './only-connection.ts'

/**
 * A statement parameter. Statements cast each parameter from text, as in `$1::text::bigint`, because drivers serialize
 * some types in their own way.
 */
export type PostgresValue = string | number | null

/** A connection that a transaction borrows. */
export interface PostgresConnection {
  /** Runs a statement on this connection. */
  query(text: string, values?: PostgresValue[]): PromiseLike<PostgresResult>
  /** Returns the connection to its pool, or closes it if `isLost` is true. */
  release?(isLost?: boolean): unknown
  /** Listens for connection errors. Without a listener, an `error` event crashes the process. */
  on?(event: 'error', listener: () => void): unknown
  /** Removes a listener. */
  off?(event: 'error', listener: () => void): unknown
}

/**
 * A client or pool that runs statements. A pg `Pool` or `Client` can be used directly. Another driver needs a `query`
 * that returns rows as objects by column name:
 *
 * - postgres: `{ query: (text, values) => sql.unsafe(text, values), reserve: () => sql.reserve() }`
 * - PGlite: `{ query: (text, values) => db.query(text, values), reserve: async () => db }`
 * - @neondatabase/serverless: the result of `neon(url)`, which supports no transactions
 */
export interface PostgresClient {
  /** Runs a statement with the parameters `$1`, `$2` and so on. */
  query(text: string, values?: PostgresValue[]): Promise<PostgresResult>
  /** Borrows a connection for a transaction, like `connect()` in a pg `Pool`. */
  connect?(): Promise<unknown>
  /**
   * Borrows a connection for a transaction, like `reserve()` in postgres and Bun.SQL. If the client has this method, it
   * is used instead of `connect()`.
   */
  reserve?(): Promise<
    | PostgresConnection
    | { unsafe(text: string, values?: PostgresValue[]): PromiseLike<PostgresResult>; release(): unknown }
  >
  /**
   * How many statements wait for a connection, in a pg `Pool`. A client with this property receives most statements as
   * one object, `{ name, text, values }`, so that PostgreSQL prepares each statement once per connection.
   */
  readonly waitingCount?: number
}

/** Options for {@link createPostgresStore}. */
export interface PostgresStoreOptions {
  /**
   * The client or pool that runs the statements. A pool reconnects when PostgreSQL has recovered; a single `Client`
   * does not. Set the pool's `connectionTimeoutMillis` and `query_timeout`, or calls wait forever when PostgreSQL
   * hangs. Add a listener for its `error` event, which crashes the process otherwise.
   */
  readonly client: PostgresClient
  /**
   * Name of the animal table, optionally with a schema, as in `shelter.pets`.
   *
   * @default 'pets'
   */
  readonly table?: string
}

/** A statement as pg accepts it. */
export interface Statement {
  /** Name of a prepared statement. By default, the statement is not prepared. */
  readonly name?: string
  /** Maximum time for the statement, in milliseconds. pg then closes the connection. */
  readonly query_timeout?: number
  /** The statement in SQL. */
  readonly text: string
  /** Values for `$1`, `$2` and so on. */
  readonly values: PostgresValue[]
}

/** Sends a statement to PostgreSQL. */
export type Send = (statement: Statement) => PromiseLike<PostgresResult>

/** A statement's result. Some drivers return an array of rows, others an object with `rows`. */
export type PostgresResult = { readonly rows: readonly unknown[] } | readonly unknown[]

/** Returns the rows in a statement's result. */
export function readRows<Row>(result: PostgresResult): readonly Row[] {
  return ('rows' in result ? result.rows : result) as readonly Row[]
}

/** Runs a statement and returns its rows. */
export type Query = <Row>(text: string, values?: PostgresValue[]) => Promise<readonly Row[]>

/** SQLSTATE codes if a prepared statement is unknown, already exists or does not match its table any more. */
const preparedStatementCodes: readonly unknown[] = ['26000', '42P05', '0A000']

/** SQLSTATE codes for serialization failures and deadlocks, after which PostgreSQL rolls back the statement. */
const conflictCodes: readonly unknown[] = ['40001', '40P01']

/**
 * Returns a function that sends statements to the client. On a client with a single connection, statements wait until
 * its open transaction ends.
 *
 * @throws {TypeError} If the client has no `query` method.
 */
export function createSend(client: PostgresClient): Send {
  if (typeof client?.query !== 'function')
    throw new TypeError('options.client must have a method query(text, values), like a Pool of pg')
  if (client.waitingCount === undefined)
    return async ({ text, values }) => {
      await waitUntilFree(client)
      return client.query(text, values)
    }
  const pool = client as unknown as { query: Send } // only a pg `Pool` has `waitingCount`
  return (statement) => pool.query(statement)
}

/**
 * Returns a function that runs statements, each in its own transaction. PostgreSQL prepares each statement once per
 * connection, under a name from its hash. If a pooler such as PgBouncer before 1.21 does not support that, statements
 * are sent without names from then on.
 *
 * After a conflict, the statement is retried once. The function rejects with the error that {@link toStoreError}
 * returns.
 */
export function createQuery(send: Send): Query {
  const names = new Map<string, string>()
  let usesNames = true

  function getStatementName(text: string): string {
    const known = names.get(text)
    if (known) return known
    const name = `pet_adoption_${sha256(text).slice(0, 32)}`
    names.set(text, name)
    return name
  }

  async function run(text: string, values: PostgresValue[]): Promise<PostgresResult> {
    if (!usesNames) return send({ text, values })
    try {
      return await send({ name: getStatementName(text), text, values })
    } catch (error) {
      if (!preparedStatementCodes.includes(readErrorCode(error))) throw error
      usesNames = false
      return send({ text, values })
    }
  }

  return async <Row>(text: string, values: PostgresValue[] = []) => {
    for (let isRetry = false; ; isRetry = true) {
      try {
        return readRows<Row>(await run(text, values))
      } catch (error) {
        if (isRetry || !conflictCodes.includes(readErrorCode(error))) throw toStoreError(error)
      }
    }
  }
}
