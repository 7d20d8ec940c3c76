import { setTimeout } from 'node:timers/promises'
import { createPostgresStore, migrate, type PostgresClient } from '../../postgres.ts'
import { explain, StartError, startWith } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { loadDriver } from './load-driver.ts'
import type { OpenImport, OpenStorage } from './open-storage.ts'

/** The part of the driver pg that is used here. */
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

/** Bounds in milliseconds: no request waits for a silent PostgreSQL, and no statement there outlives its request. */
const bounds = {
  connectionTimeoutMillis: 3_000,
  query_timeout: 5_000,
  statement_timeout: 5_000,
  idleTimeoutMillis: 30_000,
  keepAlive: true,
}

/** How long `close` waits for busy connections, in milliseconds. */
const endMs = 2_000

/**
 * Opens a pool, creates the table where there is none, and reads from it. `source` is the flag or variable that has the
 * address. Rejects with `StartError`.
 */
export async function openPostgres(
  url: string,
  source: string,
  log: Pick<Log, 'warning'>,
): Promise<OpenStorage> {
  const { Pool } = await loadPg(url, source)
  const pool = startWith(
    `${source} is not the address of a database`,
    () => new Pool({ connectionString: url, max: 10, ...bounds }),
  )
  // The loss of an idle connection fails no request: the next one opens another connection.
  pool.on('error', (cause) => log.warning('postgres', `a connection was lost: ${explain(cause, false)}`))
  const store = createPostgresStore({ client: pool })
  try {
    await migrate(pool)
    await store.list({ limit: 1 }) // a role that may not read fails here, not with the first request
  } catch (cause) {
    await pool.end()
    throw new StartError(`${source}: ${explain(cause, false)}`, { cause })
  }
  return {
    store,
    close: () => Promise.race([pool.end(), setTimeout(endMs, undefined, { ref: false })]),
  }
}

/** Opens one connection for an import. Rejects with `StartError`. */
export async function openPostgresForImport(url: string, source: string): Promise<OpenImport> {
  const { Client } = await loadPg(url, source)
  const client = startWith(
    `${source} is not the address of a database`,
    () => new Client({ connectionString: url, connectionTimeoutMillis: bounds.connectionTimeoutMillis }),
  )
  client.on('error', () => {}) // the running statement rejects with it
  try {
    await client.connect()
    await migrate(client)
  } catch (cause) {
    await client.end().catch(() => {})
    throw new StartError(`${source}: ${explain(cause, false)}`, { cause })
  }
  return { store: createPostgresStore({ client }), close: () => client.end() }
}

/** Loads the driver. Rejects with `StartError` where it is missing, or the address is not one of PostgreSQL. */
async function loadPg(url: string, source: string): Promise<Pg> {
  if (!/^postgres(?:ql)?:\/\//.test(url))
    throw new StartError(`${source} must be an address such as postgres://USER:PASSWORD@HOST:5432/DATABASE`)
  const loaded = (await loadDriver('pg', source)) as { default?: Pg } & Pg // import() of a CommonJS module
  return loaded.default ?? loaded
}
