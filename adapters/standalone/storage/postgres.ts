import { setTimeout } from 'node:timers/promises'
import type { PetStore } from '../../../core/index.ts'
import { createPostgresStore, migrate, type PostgresClient, type PostgresStore } from '../../postgres.ts'
import { explain, StartError, startWith } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { loadDriver } from './load-driver.ts'

/** What is used of the driver pg. */
interface Pg {
  readonly Pool: new (
    options: object,
  ) => PostgresClient & {
    end(): Promise<void>
    on(event: 'error', listener: (cause: Error) => void): unknown
  }
  readonly Client: new (
    options: object,
  ) => PostgresClient & {
    connect(): Promise<void>
    end(): Promise<void>
    on(event: 'error', listener: (cause: Error) => void): unknown
  }
}

/** Nothing waits for a PostgreSQL that is silent, and no statement outlives its request there; in milliseconds. */
const bounds = {
  connectionTimeoutMillis: 3_000,
  query_timeout: 5_000,
  statement_timeout: 5_000,
  idleTimeoutMillis: 30_000,
  keepAlive: true,
}

/** How long the end waits for connections that are busy, in milliseconds. */
const endMs = 2_000

/** Opens a pool and prepares the table. Throws `StartError` where that cannot be; `source` names where it was asked for. */
export async function openPostgres(
  url: string,
  source: string,
  log: Pick<Log, 'warning'>,
): Promise<{ store: PetStore; close(): Promise<void> }> {
  const { Pool } = await loadPg(url, source)
  const pool = startWith(
    `${source} is no address of a database`,
    () => new Pool({ connectionString: url, max: 10, ...bounds }),
  )
  // An idle connection that is lost is no failure: the next request opens another.
  pool.on('error', (cause) => log.warning('postgres', `a connection was lost: ${explain(cause, false)}`))
  try {
    await migrate(pool)
  } catch (cause) {
    await pool.end()
    throw new StartError(`${source}: ${explain(cause, false)}`, { cause })
  }
  return {
    store: createPostgresStore({ client: pool }),
    close: () => Promise.race([pool.end(), setTimeout(endMs, undefined, { ref: false })]),
  }
}

/** Opens one connection, for an import. Throws `StartError` likewise. */
export async function openPostgresForImport(
  url: string,
  source: string,
): Promise<{ store: PostgresStore; close(): Promise<void> }> {
  const { Client } = await loadPg(url, source)
  const client = startWith(
    `${source} is no address of a database`,
    () => new Client({ connectionString: url, connectionTimeoutMillis: bounds.connectionTimeoutMillis }),
  )
  client.on('error', () => {}) // the statement under way rejects with it
  try {
    await client.connect()
    await migrate(client)
  } catch (cause) {
    await client.end().catch(() => {})
    throw new StartError(`${source}: ${explain(cause, false)}`, { cause })
  }
  return { store: createPostgresStore({ client }), close: () => client.end() }
}

/** The driver, once the address looks like one. */
async function loadPg(url: string, source: string): Promise<Pg> {
  if (!/^postgres(?:ql)?:\/\//.test(url))
    throw new StartError(`${source} must be an address such as postgres://USER:PASSWORD@HOST:5432/DATABASE`)
  const loaded = (await loadDriver('pg', source)) as { default?: Pg } & Pg // CommonJS, by way of import()
  return loaded.default ?? loaded
}
