import {
  anyValueRule,
  booleanRule,
  checkOptions,
  functionRule,
  isWholeNumber,
  type OptionRule,
  stringRule,
  wrapStore,
} from '../../core/internal.ts'
import {
  type BackendOptions,
  createStoreBreakers,
  type SchemaVersions,
  type StoreBackend,
} from '../backend/index.ts'
import { readHost } from './address.ts'
import { createQuery, type Query } from './client.ts'
import { type Connector, createConnector } from './connector.ts'
import type { PostgresDriver } from './driver.ts'
import { createKeyStore } from './key-store.ts'
import { createPool } from './pool.ts'
import { migrateTables, requireNewestVersion } from './schema.ts'
import { toStartupError } from './startup.ts'
import { createStore } from './store.ts'
import { type TableNames, toTableNames } from './table.ts'
import { runInTransaction } from './transaction.ts'

/** Options for {@link openPostgres}. */
export interface OpenPostgresOptions extends BackendOptions {
  /** The package pg, version 8. */
  readonly driver: PostgresDriver
  /**
   * The database URL, as in `postgres://USER:PASSWORD@HOST:5432/DATABASE`. It names one host and has no parameter
   * `query_timeout`.
   */
  readonly url: string
  /**
   * Name of the animal table, optionally with a schema, as in `shelter.pets`.
   *
   * @default 'pets'
   */
  readonly table?: string
  /**
   * Maximum number of connections in the pool, at least 3. Imports, exports and key management open additional
   * connections.
   *
   * @default 10
   */
  readonly poolSize?: number
  /**
   * Whether to create or migrate the tables. If false, tables that need a migration are an error.
   *
   * @default true
   */
  readonly migrate?: boolean
}

/** Maximum time for a store call, in milliseconds. A request makes at most 2 calls and has 6 s for both. */
const callTimeoutMs = 2_700
/** Time after which PostgreSQL cancels a request's statement, in milliseconds. */
const statementTimeoutMs = 2_200
const checkIntervalMs = 5_000

const isDriver = (driver: unknown) =>
  functionRule[0](Object(driver).Pool) && functionRule[0](Object(driver).Client)

const rules: Readonly<Record<keyof OpenPostgresOptions, OptionRule>> = {
  driver: [isDriver, 'the package pg'],
  url: stringRule,
  table: anyValueRule, // `toTableNames` validates the name
  poolSize: [(size) => isWholeNumber(size, 3), 'an integer of at least 3'],
  migrate: booleanRule,
  clock: functionRule,
  onEvent: functionRule,
}

/**
 * Opens a PostgreSQL database with animals and API keys, for any number of processes. It recovers automatically from
 * failures in PostgreSQL and the network. While calls fail, circuit breakers reject further calls immediately. No
 * request waits longer than 6 s. When the URL may point to another server, all connections are replaced. Imports,
 * exports, and key lists and updates each open an additional connection.
 *
 * @throws {TypeError} If an option is invalid or unknown.
 * @throws {StartupError} If the URL is invalid, PostgreSQL is unreachable, or the tables are unusable.
 *
 * @example
 * import { createPetService } from 'pet-adoption-service'
 * import { openPostgres } from 'pet-adoption-service/postgres'
 * import pg from 'pg'
 *
 * const { store, keys } = await openPostgres({ driver: pg, url: 'postgres://127.0.0.1/shelter' })
 * const service = createPetService({ store, keys })
 */
export async function openPostgres(options: OpenPostgresOptions): Promise<StoreBackend> {
  checkOptions({ ...options, driver: options?.driver ?? null, url: options?.url ?? null }, rules)
  const { driver, url, poolSize = 10, migrate: migrates = true } = options
  const { clock = () => Date.now(), onEvent } = options
  const table = toTableNames(options.table ?? 'pets')
  const host = readHost(driver, url)
  const connector = createConnector(driver, url, onEvent)
  const versions = await prepareTables(connector, table, migrates).catch((cause) => {
    throw toStartupError(cause, host)
  })

  const { connect } = connector
  const pool = createPool(driver, connector.createPoolConfig(statementTimeoutMs), poolSize, (cause) => {
    // No request fails, because the next one opens another connection.
    onEvent?.({ level: 'warning', event: 'postgres', message: 'an idle connection was lost', cause })
  })
  const read = createQuery(pool.read)
  const store = createStore(table, { read, write: createQuery(pool.write), connect })
  const { reads, writes, check } = createStoreBreakers({
    timeoutMs: callTimeoutMs,
    checkReads: () => store.list({ limit: 1 }),
    checkWrites: (isFailing) => store.checkWrites({ whole: isFailing }),
    onEvent,
    onOpen: pool.replace,
  })
  const breakers = { reads, writes }
  // The circuit breaker guards the statements instead of the lookups, so that cached keys are found while it is open.
  const readKeys = reads.wrap(read) as Query // `wrap` keeps the parameters and the result
  const list: Query = (text, values) => runInTransaction(connect, 'list', (query) => query(text, values))
  const keys = createKeyStore(table, { read: readKeys, list, connect }, clock)
  // Checks report a failure even when there are no requests.
  const timer = onEvent && setInterval(() => void check(), checkIntervalMs)
  timer?.unref?.() // Deno returns a number

  return {
    store: {
      ...wrapStore({ reads: store, writes: store }, (effect, method) => breakers[effect].wrap(method)),
      importPets: store.importPets,
      exportPets: store.exportPets,
    },
    keys,
    versions,
    check,
    metrics: pool.metrics,
    async close() {
      clearInterval(timer)
      await pool.close()
    },
  }
}

async function prepareTables(
  { openFirstClient }: Connector,
  table: TableNames,
  migrates: boolean,
): Promise<SchemaVersions> {
  const client = await openFirstClient()
  try {
    return await (migrates ? migrateTables(client, table) : requireNewestVersion(client, table))
  } finally {
    await client.end()
  }
}
