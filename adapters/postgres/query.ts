import { sha256 } from '../../core/index.ts'
import {
  checkClient,
  type PostgresClient,
  type PostgresPool,
  type PostgresResult,
  type PostgresValue,
  rowsOf,
} from './client.ts'
import { failureOf } from './failure.ts'

/** Runs a statement and returns its rows, whose shape the caller knows. */
export type Query = <Row>(text: string, values?: PostgresValue[]) => Promise<readonly Row[]>

/**
 * The codes with which a statement that has a name fails, and has done nothing: there is no such statement, or there is
 * already, since a pooler has lent another connection; its result has other types since the table was changed.
 */
const codesOfNames: readonly unknown[] = ['26000', '42P05', '0A000']

/**
 * Returns a function that runs the statements of a store, each a transaction of its own. A failure that may pass becomes a
 * `StoreUnavailable`.
 *
 * A pool of pg prepares each statement once for each connection, under a name, until the first of them shows that its
 * server does not retain it, such as a PgBouncer before 1.21 in transaction mode. The name is that of the text alone, so that
 * no connection that others have used can have another statement under it.
 *
 * @throws {TypeError} The client is none.
 */
export function createQuery(client: PostgresClient): Query {
  checkClient(client)
  const names = new Map<string, string>()
  let pool = isPool(client) ? client : undefined

  function nameOf(text: string): string {
    const known = names.get(text)
    if (known) return known
    const name = `pet_adoption_${sha256(text).slice(0, 32)}`
    names.set(text, name)
    return name
  }

  async function run(text: string, values: PostgresValue[]): Promise<PostgresResult> {
    if (!pool) return client.query(text, values)
    try {
      return await pool.query({ name: nameOf(text), text, values })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && codesOfNames.includes(error.code))) throw error
      pool = undefined
      return client.query(text, values)
    }
  }

  return async <Row>(text: string, values: PostgresValue[] = []) => {
    try {
      return rowsOf<Row>(await run(text, values))
    } catch (error) {
      throw failureOf(error)
    }
  }
}

function isPool(client: PostgresClient): client is PostgresPool {
  return client.waitingCount !== undefined
}
