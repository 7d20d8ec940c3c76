import { EventEmitter } from 'node:events'
import { storeByEffect, wrapStore } from '../../../core/internal.ts'
import { createDeadline } from '../../breaker/deadline.ts'
import { createCallLimit } from '../../calls/limited.ts'
import type { PostgresPool } from '../../postgres/client.ts'
import { missingGrants, tableNamed } from '../../postgres/table.ts'
import {
  createPostgresKeyStore,
  createPostgresStore,
  migrate,
  type PostgresClient,
  readSchema,
} from '../../postgres.ts'
import type { SchemaVersions } from '../../sql/schema-versions.ts'
import { explain, StartError } from '../errors.ts'
import { openConnection } from '../postgres/connection.ts'
import { loadPg } from '../postgres/driver.ts'
import { createPool, type Pool } from '../postgres/pool.ts'
import { openSingle, type SingleClient } from '../postgres/single.ts'
import type { LastingStorage, OpenOptions, OpenStorage, StorageLog } from './open-storage.ts'
import { loggedMigration, requireNewest } from './schema.ts'
import { createStorageLimits } from './storage-limits.ts'
import type { StorageChoice } from './storage-settings.ts'

/** The most time of a statement for a request, in milliseconds: one to find its key, and one for the animals. */
const statementMs = 2_900
/** The time of a statement of a command on keys, which may wait for another command: 10 s. */
const commandTime = { stepMs: 1_000, turns: 10 }

/**
 * How long a request waits for its key and then for the animals, in milliseconds: 6 s for both. At most so many calls are
 * pending, whoever waits for them.
 */
const [keyMs, storeMs, max] = [2_700, 2_700, 1_000]

/** How many connections writes leave to reads, which go on where writes wait for a lock. */
const connectionsForReads = 2

/** A database. What cannot be opened, or lacks a migration that is not to be run, is a `StartError`. */
export function postgresStorage(choice: StorageChoice): LastingStorage {
  const { value: url, source, table = 'pets', poolSize = 10, drivers } = choice

  function toStartError(cause: unknown): StartError {
    return cause instanceof StartError
      ? cause
      : new StartError(`${source}: ${explain(cause, false)}`, { cause })
  }

  /** Opens one connection, on which no statement has a time limit. */
  async function connect(): Promise<SingleClient> {
    const { pg, hosts } = await loadPg(url, source, drivers)
    return openSingle(pg, hosts, source)
  }

  /** Runs the missing migrations. SIGINT and SIGTERM cancel them in PostgreSQL. */
  async function migrateWith(client: SingleClient, events = new EventEmitter()): Promise<SchemaVersions> {
    let interruption = ''
    const listeners = ['SIGINT', 'SIGTERM'].map((signal) => {
      const interrupt = (): void => {
        interruption = `the migration was interrupted by ${signal}, and has changed nothing`
        void client.cancel()
      }
      events.once(signal, interrupt)
      return () => events.off(signal, interrupt)
    })
    try {
      return await migrate(client, { table })
    } catch (cause) {
      throw interruption ? new StartError(`${source}: ${interruption}`, { cause }) : toStartError(cause)
    } finally {
      for (const remove of listeners) remove()
    }
  }

  async function migrateOnce(events?: EventEmitter): Promise<SchemaVersions> {
    const client = await connect()
    try {
      return await migrateWith(client, events)
    } finally {
      await client.close()
    }
  }

  /** Opens a pool whose role can do what a server needs. */
  async function openPool(log: StorageLog, migrates: boolean): Promise<Pool> {
    const { pg, hosts, queryTimeout = statementMs } = await loadPg(url, source, drivers)
    const pool = createPool({
      hosts,
      max: poolSize,
      timeoutMs: Math.min(queryTimeout, statementMs),
      open: (host, onLost) => openConnection(pg, host.url, onLost),
      // No request fails for it: the next one opens another connection.
      onLost: (cause) => log.warning('postgres', `a connection was lost: ${explain(cause, false)}`),
      onHost: ({ name }) => log.info('postgres', `the host that accepts changes is ${name}`),
    })
    try {
      if (!migrates)
        requireNewest(await readSchema(pool, { table }), source, `--postgres URL${tableFlag(table)}`)
      const grants = await missingGrants(pool, tableNamed(table))
      if (grants) throw new StartError(`${source}: the role lacks privileges: run ${grants}`)
      await createPostgresStore({ client: pool, table }).list({ limit: 1 })
      return pool
    } catch (cause) {
      await pool.close()
      throw toStartError(cause)
    }
  }

  return {
    migrate: migrateOnce,
    async open(log, { migrates, clock, events }) {
      if (migrates) await loggedMigration(log, () => migrateOnce(events))
      const pool = await openPool(log, migrates)
      const maxWrites = Math.max(1, poolSize - connectionsForReads)
      return limitedStorage(pool, table, maxWrites, log, clock)
    },
    async openForCommand({ log, clock, events }) {
      const client = await connect()
      try {
        await loggedMigration(log, () => migrateWith(client, events))
      } catch (cause) {
        await client.close()
        throw cause
      }
      const overdue = () => new Error('timeout exceeded: no result of PostgreSQL within 10000 ms')
      const { limit } = createDeadline({ ...commandTime, overdue })
      const limited: PostgresClient = {
        query: (text, values) => limit(client.query(text, values), () => void client.cancel()),
      }
      return {
        store: createPostgresStore({ client, table }),
        records: createPostgresKeyStore({ client: limited, table, clock }),
        close: client.close,
      }
    },
  }
}

/** Returns the storage of a server, whose calls are limited. */
function limitedStorage(
  pool: Pool,
  table: string,
  maxWrites: number,
  log: StorageLog,
  clock: OpenOptions['clock'],
): OpenStorage {
  /** The pool, of which `query` is called as it is given. */
  const clientOf = (query: PostgresPool['query']): PostgresPool => ({
    query,
    get waitingCount() {
      return pool.waitingCount
    },
  })
  const lookUps = createCallLimit({ ms: keyMs, max })
  const changes = createCallLimit({ ms: storeMs, max, atOnce: maxWrites })
  const reading = createPostgresStore({ client: pool, table })
  const writing = createPostgresStore({ client: clientOf(changes.limited(pool.query)), table })
  const { reads, writes, health, check } = createStorageLimits(
    {
      reads: { ms: storeMs, max, check: () => reading.list({ limit: 1 }) },
      writes: { ms: storeMs, max, check: (isFailing) => writing.checkWrites({ whole: isFailing }) },
    },
    log,
  )
  const limits = { reads, writes }
  return {
    store: wrapStore(storeByEffect({ reads: reading, writes: writing }), (effect, method) =>
      limits[effect].limited(method),
    ),
    keys: createPostgresKeyStore({ client: clientOf(lookUps.limited(pool.query)), table, clock }),
    connections: pool.connections,
    health,
    check,
    close: pool.close,
  }
}

/** Returns the flag that names another table than the default one, after a space. */
export function tableFlag(table = 'pets'): string {
  return table === 'pets' ? '' : ` --table ${table}`
}
