import { anyValueRule, checkOptions } from '../../core/internal.ts'
import { createQuery, createSend, type PostgresStoreOptions } from './client.ts'
import { createStore, type PostgresStore } from './store.ts'
import { toTableNames } from './table.ts'
import { createConnect } from './transaction.ts'

export * from '../backend/public.ts'
export type { Promised } from '../sql/store.ts'
export type {
  PostgresClient,
  PostgresConnection,
  PostgresResult,
  PostgresStoreOptions,
  PostgresValue,
  Statement,
} from './client.ts'
export type { PgClient, PgPool, PostgresDriver } from './driver.ts'
export {
  createPostgresKeyStore,
  type PostgresKeyStore,
  type PostgresKeyStoreOptions,
} from './key-store.ts'
export { type OpenPostgresOptions, openPostgres } from './open.ts'
export { migrate } from './schema.ts'
export type { PostgresStore } from './store.ts'

/**
 * Creates a store for animals in PostgreSQL, for any number of replicas. Call {@link migrate} before the first request.
 *
 * A creation resolves after its commit, and every replica returns the animal from then on. Ids are assigned before the
 * commit, so if two creations overlap, the animal with the greater id may appear first. A client that follows `after`
 * through all pages receives every animal that existed at the first page exactly once. Animals that were created later
 * may be missing.
 *
 * Calls in the same event loop turn share statements if they read the same page, get animals by id, or create animals.
 * Each call sees everything that was stored before it.
 *
 * Methods reject with `StoreUnavailableError` while PostgreSQL does not respond. A change in flight may have been
 * stored or not. Clients repeat a creation with the same `Idempotency-Key`. The database's clock decides when
 * idempotency keys expire.
 *
 * @throws {TypeError} If an option is invalid or unknown.
 *
 * @example
 * import { createPostgresStore } from 'pet-adoption-service/postgres'
 * import pg from 'pg'
 *
 * const client = new pg.Pool({ connectionString: 'postgres://127.0.0.1/shelter', query_timeout: 5000 })
 * client.on('error', console.error)
 * const store = createPostgresStore({ client })
 */
export function createPostgresStore(options: PostgresStoreOptions): PostgresStore {
  checkOptions(options, { client: anyValueRule, table: anyValueRule })
  const { client, table = 'pets' } = options
  const query = createQuery(createSend(client))
  return createStore(toTableNames(table), { read: query, write: query, connect: createConnect(client) })
}
