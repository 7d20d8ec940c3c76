import { type PostgresClient, type Query, rowsOf } from './client.ts'
import { toFailure } from './failure.ts'

/** A setting that exists within a transaction only. */
const marker = 'pet_adoption_service.in_transaction'

/** The condition of a statement that must fail on another connection than that of its transaction. */
export const isInTransaction: string = `current_setting('${marker}')::boolean`

/**
 * The codes with which statements of a transaction fail on another connection: there is a transaction already; there is
 * none; there is no such cursor; the marker was never set, or is empty after an earlier transaction.
 */
const codesOfAnotherConnection: readonly unknown[] = ['25001', '25P01', '34000', '42704', '22P02']

/**
 * Returns a function that runs the statements of a transaction. They have no names: where a pooler has lent another
 * connection, one that fails for its name would end the transaction.
 *
 * @param method - The method that requires it, for the message of the `TypeError` where the client is not one
 * connection.
 */
export function queryInTransaction(client: PostgresClient, method: string): Query {
  return async <Row>(...statement: Parameters<Query>) => {
    try {
      return rowsOf<Row>(await client.query(...statement))
    } catch (cause) {
      if (!(cause instanceof Error && 'code' in cause && codesOfAnotherConnection.includes(cause.code)))
        throw toFailure(cause)
      const problem = 'to be one connection, without a transaction: pass a pg Client, not a Pool'
      throw new TypeError(`${method} requires options.client ${problem}`, { cause })
    }
  }
}

/**
 * Runs statements in one transaction, and rolls it back where the work fails.
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
    await query('COMMIT AND CHAIN') // unlike COMMIT, it fails where there is no transaction
    return result
  } finally {
    await client.query('ROLLBACK').catch(() => {}) // a lost connection has rolled back by itself
  }
}
