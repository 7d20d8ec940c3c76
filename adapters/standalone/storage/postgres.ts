import type { Client } from 'pg'
import { isUnavailable, wrapStore } from '../../../core/internal.ts'
import { createCircuitBreaker } from '../../circuit-breaker/index.ts'
import { toFailure } from '../../postgres/failure.ts'
import {
  createPostgresKeyStore,
  createPostgresStore,
  migrate,
  type PostgresClient,
} from '../../postgres/index.ts'
import { findVersion } from '../../postgres/schema.ts'
import { toTable } from '../../postgres/table.ts'
import { explain, StartError, toStartError, UsageError } from '../errors.ts'
import { loadPg } from '../postgres/driver.ts'
import { createPools } from '../postgres/pools.ts'
import { adviseOnPooler, createClientConfig } from '../postgres/session.ts'
import type { LastingStorage } from './open-storage.ts'
import { createStorageBreakers, maxPending, type StorageChecks } from './storage-breakers.ts'
import type { StorageChoice } from './storage-settings.ts'

/** Maximum time to open the connection of a command, in milliseconds. */
const connectMs = 5_000
/** Maximum time a statement of a command on keys waits for another command, in milliseconds. */
const commandMs = 10_000

/** Maximum time a request waits for its key, and then for the animals, in milliseconds: 6 s for both. */
const callMs = 2_700

/** A database. It is a `StartError` if it cannot be opened, or lacks tables that are not to be created. */
export function createPostgresStorage(choice: StorageChoice): LastingStorage {
  const { value: url, source, table = 'pets', poolSize = 10 } = choice

  /** Opens one connection without a time limit for statements. */
  async function connect(): Promise<Client> {
    const pg = await loadPg(url, source)
    const client = new pg.Client({ ...createClientConfig(url), connectionTimeoutMillis: connectMs })
    client.on('error', () => {}) // the statement rejects
    try {
      await client.connect()
      return client
    } catch (cause) {
      const advice = adviseOnPooler(cause)
      throw advice ? new StartError(`${source}: ${advice}`, { cause }) : toStartError(source, cause)
    }
  }

  /** Calls `work` with a connection of its own. */
  async function withClient<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = await connect()
    try {
      return await work(client)
    } catch (cause) {
      throw toStartError(source, cause)
    } finally {
      await client.end()
    }
  }

  /** Migrates, or rejects the tables of another version, and checks that the role can do what a server needs. */
  async function prepare(client: Client, migrates: boolean): Promise<void> {
    if (migrates) await migrate(client, { table })
    else await findVersion(client, toTable(table))
    const store = createPostgresStore({ client, table })
    await store.checkWrites()
    await store.list({ limit: 1 })
  }

  const migrateTables = () => withClient((client) => migrate(client, { table }))
  return {
    migrate: migrateTables,
    async backup() {
      throw new UsageError(`${source}: backup copies SQLite files: use pg_dump, as the manual says`)
    },
    async open(log, { migrates, clock }) {
      await withClient((client) => prepare(client, migrates))
      const pools = createPools(await loadPg(url, source), {
        url,
        max: poolSize,
        // No request fails for it: the next one opens another connection.
        onLost: (cause) => log.warning('postgres', `a connection was lost: ${explain(cause, false)}`),
      })
      const stores = {
        reads: createPostgresStore({ client: pools.reads, table }),
        writes: createPostgresStore({ client: pools.writes, table }),
      }
      const checks: StorageChecks = {
        reads: () => stores.reads.list({ limit: 1 }),
        writes: (isFailing) => stores.writes.checkWrites({ whole: isFailing }),
      }
      const breakers = createStorageBreakers(callMs, checks, log, { onOpen: pools.replace })
      // Keys that are cached must be found while the circuit is open, so it guards the statements.
      const lookups = createCircuitBreaker({
        timeoutMs: callMs,
        maxPending,
        isFailure: (error) => isUnavailable(toFailure(error)),
      })
      const client = { waitingCount: 0, query: lookups.wrap(pools.reads.query) }
      return {
        store: wrapStore(stores, (effect, method) => breakers[effect].wrap(method)),
        keys: createPostgresKeyStore({ client, table, clock }),
        connections: pools.connections,
        check: breakers.check,
        close: pools.close,
      }
    },
    async openForCommand(clock) {
      await migrateTables()
      const client = await connect()
      const limited: PostgresClient = {
        query(text, values = []) {
          const statement = { text, values, query_timeout: commandMs } // which the types do not name
          return client.query(statement)
        },
      }
      return {
        store: createPostgresStore({ client, table }),
        records: createPostgresKeyStore({ client: limited, table, clock }),
        close: () => client.end(),
      }
    },
  }
}
