import type { PostgresClient, PostgresConnection, PostgresValue, Query } from './client.ts'
import { readRows } from './client.ts'
import { toStoreError } from './failure.ts'
import { lockClient } from './only-connection.ts'

/** Borrows a connection. Error messages contain the name of the calling method. */
export type Connect = (method: string) => Promise<PostgresConnection>

/**
 * Returns a function that borrows connections from the client. A `Client` of pg is a single connection, so other
 * statements wait until the transaction ends.
 *
 * The function rejects with a `TypeError` if the client cannot lend a connection, before it sends any statement.
 * Without a borrowed connection, a pool could send the statements in a transaction over different connections, and
 * later statements from the application would run inside the open transaction.
 */
export function createConnect(client: PostgresClient): Connect {
  return async (method) => {
    const connection = await acquireConnection(client)
    if (!connection)
      throw new TypeError(
        `${method} requires a connection from options.client: pass a Pool or a Client of pg, or add reserve()`,
      )
    if (connection.release) return connection
    const release = await lockClient(client)
    return { query: (text, values) => connection.query(text, values), release }
  }
}

/** Borrows a connection from the client. Returns `undefined` if the client cannot lend one. */
async function acquireConnection(client: PostgresClient): Promise<PostgresConnection | undefined> {
  if (client.reserve) {
    const reserved = await client.reserve()
    if ('query' in reserved) return reserved
    return {
      query: (text, values) => reserved.unsafe(text, values),
      release: () => reserved.release(),
    }
  }
  // Only a pg `Client` has the method `escapeIdentifier`. A pool does not.
  if ('escapeIdentifier' in client) return { query: (text, values) => client.query(text, values) }
  const lent = await client.connect?.()
  return isConnection(lent) ? lent : undefined
}

function isConnection(value: unknown): value is PostgresConnection {
  return typeof Object(value).query === 'function'
}

/** An open transaction. */
export interface Transaction {
  readonly query: Query
  commit(): Promise<void>
  /** Rolls back the transaction unless it is committed, and returns the connection. Always call it. Never rejects. */
  end(): Promise<void>
}

/**
 * Begins a transaction.
 *
 * @param method - The calling method's name, for error messages.
 * @param mode - The transaction modes after BEGIN.
 */
export async function beginTransaction(connect: Connect, method: string, mode: string): Promise<Transaction> {
  const connection = await connect(method).catch((cause) => {
    throw toStoreError(cause)
  })
  const ignore = () => {} // the statement in flight rejects, or the next one
  connection.on?.('error', ignore)
  let isOpen = true

  /** Statements have no names, because the pooler may switch connections between transactions. */
  async function query<Row>(text: string, values: PostgresValue[] = []): Promise<readonly Row[]> {
    try {
      return readRows<Row>(await connection.query(text, values))
    } catch (cause) {
      throw toStoreError(cause)
    }
  }

  async function end(): Promise<void> {
    const isLost =
      isOpen &&
      (await connection.query('ROLLBACK').then(
        () => false,
        () => true,
      ))
    connection.off?.('error', ignore)
    await connection.release?.(isLost)
  }

  try {
    await query(`BEGIN ${mode}`)
  } catch (cause) {
    await end()
    throw cause
  }
  return {
    query,
    async commit() {
      await query('COMMIT')
      isOpen = false
    },
    end,
  }
}

/** Runs `work` in a transaction, and rolls back if `work` rejects. */
export async function runInTransaction<T>(
  connect: Connect,
  method: string,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  const { query, commit, end } = await beginTransaction(connect, method, 'ISOLATION LEVEL READ COMMITTED')
  try {
    const result = await work(query)
    await commit()
    return result
  } finally {
    await end()
  }
}
