import { type PostgresClient, type Query, readRows } from './client.ts'
import { readCode, toFailure } from './failure.ts'

/** The setting that marks the transaction. It lasts until the transaction ends. */
const marker = 'pet_adoption_service.in_transaction'

/** The condition of a statement that must fail outside the connection of its transaction. */
export const isInTransaction: string = `current_setting('${marker}')::boolean`

/**
 * Codes of a statement that ran on another connection than its transaction: this connection is already in a transaction,
 * or is not in one, or lacks the cursor; the marker was never set on it, or is empty after an earlier transaction.
 */
const codesOfAnotherConnection: readonly unknown[] = ['25001', '25P01', '34000', '42704', '22P02']

/**
 * Returns a function that runs the statements of a transaction. They have no names: if a pooler has lent another
 * connection, a statement that fails for its name would end the transaction.
 *
 * @param method - The method that requires it, for the message of the `TypeError` if the client is not one connection.
 */
export function queryInTransaction(client: PostgresClient, method: string): Query {
  return async <Row>(...statement: Parameters<Query>) => {
    try {
      return readRows<Row>(await client.query(...statement))
    } catch (cause) {
      if (!codesOfAnotherConnection.includes(readCode(cause))) throw toFailure(cause)
      throw new TypeError(
        `${method} requires options.client to be one connection, without a transaction: pass a pg Client, not a Pool`,
        { cause },
      )
    }
  }
}

/**
 * Runs statements in one transaction, and rolls it back if the work fails.
 *
 * @param method - The method that requires it, for the message.
 * @throws {TypeError} The client is not one connection.
 */
export async function transaction<T>(
  client: PostgresClient,
  method: string,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  const query = queryInTransaction(client, method)
  try {
    await query('BEGIN ISOLATION LEVEL READ COMMITTED')
    await query(`SELECT set_config('${marker}', 'yes', true)`)
    const result = await work(query)
    await query('COMMIT AND CHAIN') // unlike COMMIT, it fails if there is no transaction
    return result
  } finally {
    await client.query('ROLLBACK').catch(() => {}) // a lost connection has rolled back by itself
  }
}
