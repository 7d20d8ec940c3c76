import { type PostgresClient, type PostgresValue, type Query, rowsOf } from './client.ts'
import { failureOf } from './failure.ts'

/** A setting that exists within a transaction only. */
const marker = 'pet_adoption_service.in_transaction'

/** The condition of a statement that must do nothing on another connection than that of its transaction. */
export const isInTransaction: string = `current_setting('${marker}', true) = 'yes'`

/**
 * Runs statements in one transaction, and rolls it back where the work fails. They have no names: where a pooler has
 * lent another connection, one that fails for its name would end the transaction.
 *
 * @param method - The method that requires it, for the message.
 * @throws {TypeError} The client is not one connection.
 */
export async function transaction<T>(
  client: PostgresClient,
  method: string,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  const query: Query = async <Row>(text: string, values?: PostgresValue[]) =>
    rowsOf<Row>(await client.query(text, values))
  try {
    await client.query('BEGIN')
    await client.query(`SELECT set_config('${marker}', 'yes', true)`)
    const [row] = await query<{ is_one: boolean }>(`SELECT ${isInTransaction} AS is_one`)
    if (!row?.is_one) throw notOneConnection(method)
    const result = await work(query)
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {}) // a lost connection has rolled back by itself
    throw failureOf(error)
  }
}

/** What to throw where the statements of a transaction run on several connections. */
export function notOneConnection(method: string, cause?: unknown): TypeError {
  return new TypeError(
    `${method} requires options.client to be one connection, without a transaction: pass a pg Client, not a Pool`,
    { cause },
  )
}
