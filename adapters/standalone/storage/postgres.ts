import type { Client } from 'pg'
import { wrapStore } from '../../../core/internal.ts'
import { createCircuitBreaker } from '../../circuit-breaker/index.ts'
import type { PostgresPool } from '../../postgres/client.ts'
import {
  createPostgresKeyStore,
  createPostgresStore,
  migrate,
  type PostgresClient,
} from '../../postgres/index.ts'
import { findVersion } from '../../postgres/schema.ts'
import { tableNamed } from '../../postgres/table.ts'
import { explain, startErrorOf } from '../errors.ts'
import { loadPg } from '../postgres/driver.ts'
import { createPool } from '../postgres/pool.ts'
import type { LastingStorage } from './open-storage.ts'
import { createStorageBreakers, maxPending, type StorageChecks } from './storage-breakers.ts'
import type { StorageChoice } from './storage-settings.ts'

/** How long a server may take to open the connection of a command, in milliseconds. */
const connectMs = 5_000
/** How long a statement of a command on keys may wait for another command, in milliseconds. */
const commandMs = 10_000

/** How long a request waits for its key and then for the animals, in milliseconds: 6 s for both. */
const callMs = 2_700

/**
 * How many connections writes leave to reads, which go on where writes wait for a lock, and to the checks of the pool.
 */
const connectionsForReads = 3

/** A database. What cannot be opened, or lacks tables that are not to be created, is a `StartError`. */
export function postgresStorage(choice: StorageChoice): LastingStorage {
  const { value: url, source, table = 'pets', poolSize = 10 } = choice

  /** Opens one connection, on which no statement has a time limit. */
  async function connect(): Promise<Client> {
    const pg = await loadPg(url, source)
    const options = { connectionString: url, keepAlive: true, connectionTimeoutMillis: connectMs }
    const client = new pg.Client(options)
    client.on('error', () => {}) // what awaits the statement handles it
    try {
      await client.connect()
      return client
    } catch (cause) {
      throw startErrorOf(source, cause)
    }
  }

  /** Calls `work` with a connection of its own. */
  async function withClient<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = await connect()
    try {
      return await work(client)
    } catch (cause) {
      throw startErrorOf(source, cause)
    } finally {
      await client.end()
    }
  }

  /** Migrates, or rejects the tables of another version, and checks that the role can do what a server needs. */
  async function prepare(client: Client, migrates: boolean): Promise<void> {
    if (migrates) await migrate(client, { table })
    else await findVersion(client, tableNamed(table))
    const store = createPostgresStore({ client, table })
    await store.checkWrites()
    await store.list({ limit: 1 })
  }

  const migrateTables = () => withClient((client) => migrate(client, { table }))
  return {
    migrate: migrateTables,
    async open(log, { migrates, clock }) {
      await withClient((client) => prepare(client, migrates))
      const pool = createPool(await loadPg(url, source), {
        url,
        max: poolSize,
        timeoutMs: callMs,
        // No request fails for it: the next one opens another connection.
        onLost: (cause) => log.warning('postgres', `a connection was lost: ${explain(cause, false)}`),
      })
      /** The pool, of which `query` is called as it is given. */
      const clientOf = (query: PostgresPool['query']): PostgresPool => ({ ...pool, query })
      const limits = { timeoutMs: callMs, maxPending }
      const lookUps = createCircuitBreaker(limits)
      // The limit of the methods rejects after failures: two of them would seldom let the same call through.
      const maxInFlight = Math.max(1, poolSize - connectionsForReads)
      const changes = createCircuitBreaker({ ...limits, maxInFlight, isFailure: () => false })
      const reading = createPostgresStore({ client: pool, table })
      const writing = createPostgresStore({ client: clientOf(changes.wrap(pool.query)), table })
      const checks: StorageChecks = {
        reads: () => reading.list({ limit: 1 }),
        writes: (isFailing) => writing.checkWrites({ whole: isFailing }),
      }
      const breakers = createStorageBreakers(callMs, checks, log)
      return {
        store: wrapStore({ reads: reading, writes: writing }, (effect, method) =>
          breakers[effect].wrap(method),
        ),
        keys: createPostgresKeyStore({ client: clientOf(lookUps.wrap(pool.query)), table, clock }),
        connections: pool.connections,
        check: breakers.check,
        close: pool.close,
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
