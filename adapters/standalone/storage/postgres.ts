import { EventEmitter } from 'node:events'
import { StoreUnavailable } from '../../../core/index.ts'
import { createDeadline } from '../../breaker/deadline.ts'
import type { PostgresPool } from '../../postgres/client.ts'
import { failureOf } from '../../postgres/failure.ts'
import { missingGrants } from '../../postgres/privileges.ts'
import { tableNamed } from '../../postgres/table.ts'
import {
  createPostgresKeyStore,
  createPostgresStore,
  migrate,
  type PostgresResult,
  readSchema,
} from '../../postgres.ts'
import type { SchemaVersions } from '../../sql/schema-versions.ts'
import { explain, StartError } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { type Address, readAddress } from '../postgres/address.ts'
import { openConnection } from '../postgres/connection.ts'
import { checkAddress, loadPg, type Pg } from '../postgres/driver.ts'
import { createPool } from '../postgres/pool.ts'
import { openSingle, type SingleClient } from '../postgres/single.ts'
import { createStorageBreaker } from './breaker/storage-breaker.ts'
import type { CommandOptions, OpenAnimals, OpenKeyRecords, OpenOptions, OpenStorage } from './open-storage.ts'
import { loggedMigration, requireNewest } from './schema.ts'

/** Where the animals are in PostgreSQL. */
export interface PostgresPlace {
  /** The address, which may name several hosts. */
  readonly url: string
  /** The flag or variable that has the address. */
  readonly source: string
  readonly table: string
  /** The folder that has the driver; by default next to the program. */
  readonly drivers?: string | undefined
}

/** The most time of a statement for a request, in milliseconds: one to find its key, and one for the animals. */
const statementMs = 2_900
/** The most time of a statement of a command on keys, which may wait for another command, in milliseconds. */
const keysMs = 10_000

/**
 * The time of a lookup of keys and of a statement of the store. A request needs one after the other, and waits at most 6 s
 * for both, with 0.1 s in which reads share a statement; once PostgreSQL fails, at most 1 s.
 */
const keyTime = { stepMs: 100, steps: 10, hurriedSteps: 1 }
const storeTime = { stepMs: 100, steps: 32, hurriedSteps: 6 }

/** How many connections writes leave to reads, which go on where writes wait for a lock. */
const connectionsForReads = 2

/**
 * Runs the migrations that are missing, and opens a pool. Rejects with `StartError`, also for a missing migration if
 * `migrates` is false.
 *
 * @param max - The most connections to one server.
 */
export async function openPostgres(
  place: PostgresPlace,
  max: number,
  log: Pick<Log, 'info' | 'warning'>,
  { migrates, clock, events }: OpenOptions,
): Promise<OpenStorage> {
  const { source, table } = place
  const { pg, hosts, queryTimeout = statementMs } = await prepare(place)
  if (migrates) await loggedMigration(log, () => migratePostgres(place, events))
  const pool = createPool({
    hosts,
    max,
    timeoutMs: Math.min(queryTimeout, statementMs),
    open: ({ url }, onLost) => openConnection(pg, url, onLost),
    // No request fails for it: the next one opens another connection.
    onLost: (cause) => log.warning('postgres', `a connection was lost: ${explain(cause, false)}`),
    onHost: ({ name }) => log.info('postgres', `the host that accepts changes is ${name}`),
  })
  const store = createPostgresStore({ client: pool, table })
  try {
    if (!migrates)
      requireNewest(await readSchema(pool, { table }), source, `--postgres URL${tableFlag(table)}`)
    const grants = await missingGrants(pool, tableNamed(table))
    if (grants) throw new StartError(`${source}: the role lacks privileges: run ${grants}`)
    await store.list({ limit: 1 })
  } catch (cause) {
    await pool.close()
    throw toStartError(cause, source)
  }
  const uncachedKeys = createPostgresKeyStore({ client: pool, table, clock })
  const breaker = createStorageBreaker(
    {
      keys: { time: keyTime, check: () => uncachedKeys.find('no key') },
      reads: { time: storeTime, check: () => store.list({ limit: 1 }) },
      writes: {
        time: storeTime,
        maxCalls: Math.max(1, max - connectionsForReads),
        check: (isFailing) => store.checkWrites({ whole: isFailing }),
      },
    },
    log,
  )
  /** The pool, whose statements are guarded: calls that share one are one call of the breaker. */
  const guarded = (kind: 'keys' | 'reads' | 'writes'): PostgresPool => ({
    query: async (...statement) => breaker.call(kind, () => queryOf(pool, ...statement)),
    get waitingCount() {
      return pool.waitingCount
    },
  })
  const reads = createPostgresStore({ client: guarded('reads'), table })
  const writes = createPostgresStore({ client: guarded('writes'), table })
  // It may run several statements.
  const { limit } = createDeadline({
    stepMs: storeTime.stepMs,
    turns: storeTime.steps,
    overdue: () => new StoreUnavailable('PostgreSQL did not respond in time'),
  })
  return {
    store: {
      ...reads,
      create: writes.create,
      createOnce: (pet, key) => limit(writes.createOnce(pet, key)),
      update: writes.update,
      remove: writes.remove,
    },
    keys: createPostgresKeyStore({ client: guarded('keys'), table, clock }),
    connections: pool.connections,
    health: breaker.health,
    check: breaker.check,
    close: pool.close,
  }
}

/** Runs a statement. Rejects with `StoreUnavailable` for a failure that may pass. */
async function queryOf(
  client: PostgresPool,
  ...statement: Parameters<PostgresPool['query']>
): Promise<PostgresResult> {
  try {
    return await client.query(...statement)
  } catch (cause) {
    throw failureOf(cause)
  }
}

/** Returns the flag that names another table than the default one, after a space. */
export function tableFlag(table = 'pets'): string {
  return table === 'pets' ? '' : ` --table ${table}`
}

/** Opens one connection for a command on animals. Rejects with `StartError`. */
export async function openPostgresAnimals(
  place: PostgresPlace,
  options: CommandOptions,
): Promise<OpenAnimals> {
  const client = await connectForCommand(place, options)
  return { store: createPostgresStore({ client, table: place.table }), close: client.close }
}

/** Opens the keys of a database. Rejects with `StartError`. */
export async function openPostgresKeys(
  place: PostgresPlace,
  options: CommandOptions,
): Promise<OpenKeyRecords> {
  const { clock } = options
  const client = await connectForCommand(place, options, keysMs)
  return { records: createPostgresKeyStore({ client, table: place.table, clock }), close: client.close }
}

/** Runs the migrations that are missing. Rejects with `StartError`. */
export async function migratePostgres(place: PostgresPlace, events?: EventEmitter): Promise<SchemaVersions> {
  const client = await connect(place)
  try {
    return await migrateWith(client, place, events)
  } finally {
    await client.close()
  }
}

/** Opens one connection, and runs the migrations that are missing. Rejects with `StartError`. */
async function connectForCommand(
  place: PostgresPlace,
  { log, events }: CommandOptions,
  timeoutMs?: number,
): Promise<SingleClient> {
  const client = await connect(place, timeoutMs)
  try {
    await loggedMigration(log, () => migrateWith(client, place, events))
    return client
  } catch (cause) {
    await client.close()
    throw cause
  }
}

/** Runs the missing migrations. SIGINT and SIGTERM cancel them in PostgreSQL. Rejects with `StartError`. */
async function migrateWith(
  client: SingleClient,
  { table, source }: PostgresPlace,
  events: EventEmitter = new EventEmitter(),
): Promise<SchemaVersions> {
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
    throw interruption ? new StartError(`${source}: ${interruption}`, { cause }) : toStartError(cause, source)
  } finally {
    for (const remove of listeners) remove()
  }
}

/** Opens one connection. Without `timeoutMs`, no statement has a time limit. Rejects with `StartError`. */
async function connect(place: PostgresPlace, timeoutMs?: number): Promise<SingleClient> {
  const { pg, hosts } = await prepare(place)
  return openSingle(pg, hosts, place.source, timeoutMs)
}

/** Reads an address, and loads the driver. Rejects with `StartError`. */
async function prepare({ url, source, drivers }: PostgresPlace): Promise<Address & { readonly pg: Pg }> {
  const address = readAddress(url, source)
  const pg = await loadPg(source, drivers)
  for (const host of address.hosts) checkAddress(pg, host.url, source)
  return { ...address, pg }
}

function toStartError(cause: unknown, source: string): StartError {
  return cause instanceof StartError
    ? cause
    : new StartError(`${source}: ${explain(cause, false)}`, { cause })
}
