import type { Socket } from 'node:net'
import type { NamedStatement, PostgresResult, PostgresValue } from '../../postgres/client.ts'
import { StartError } from '../errors.ts'
import { loadDriver } from '../load-driver.ts'

/** The part of the driver pg that is used here. */
export interface Pg {
  readonly Client: new (options: ClientOptions) => PgClient
  readonly Pool: new (options: PoolOptions) => PgPool
}

export interface ClientOptions {
  readonly connectionString: string
  readonly connectionTimeoutMillis?: number
  readonly keepAlive?: boolean
  readonly stream?: Socket
}

interface PoolOptions extends ClientOptions {
  readonly max: number
  readonly idleTimeoutMillis: number
  readonly Client: new (options: ClientOptions) => PgClient
}

export interface PgClient {
  /** The host name, or the folder of a Unix socket. */
  readonly host: string
  readonly port: number
  connect(): Promise<unknown>
  query(
    statement: string | NamedStatement | LimitedStatement,
    values?: PostgresValue[],
  ): Promise<PostgresResult>
  end(): Promise<void>
  on(event: 'error', listener: (cause: Error) => void): unknown
}

/** A statement that rejects after a time, in milliseconds. */
interface LimitedStatement {
  readonly text: string
  readonly query_timeout: number
}

/** A client that a pool lends. */
export interface LentClient extends PgClient {
  /** Gives it back; `true` for one that must not be lent again. */
  release(isUnusable?: boolean): void
}

export interface PgPool {
  readonly waitingCount: number
  connect(): Promise<LentClient>
  end(): Promise<void>
  on(event: 'error', listener: (cause: Error) => void): unknown
}

/** An address with one host, which may be empty. */
const oneHost = /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?[^,/?#]*(?:[/?#]|$)/i

/**
 * Loads the driver for an address. Rejects with `StartError` where it is missing or cannot read the address.
 *
 * @param source - The flag or variable that has the address.
 */
export async function loadPg(url: string, source: string): Promise<Pg> {
  // The driver would give the statement up, and its backend would go on beside another one.
  if (/[?&]query_timeout=/.test(url))
    throw new StartError(`${source} has the parameter query_timeout: remove it, the server has its own limit`)
  const loaded = (await loadDriver('pg', source)) as { default?: Pg } & Pg // import() of a CommonJS module
  const pg = loaded.default ?? loaded
  try {
    if (!oneHost.test(url)) throw new TypeError('another scheme, or several hosts')
    new pg.Client({ connectionString: url })
  } catch {
    // The message of the cause may contain the address, with its password.
    throw new StartError(
      `${source} is not the address of a database: write postgres://USER:PASSWORD@HOST:5432/DATABASE, with one host, and special characters of the password percent-encoded`,
    )
  }
  return pg
}
