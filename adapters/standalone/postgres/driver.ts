import type { Socket } from 'node:net'
import type { PostgresPool } from '../../postgres/client.ts'
import { StartError } from '../errors.ts'
import { loadDriver } from '../load-driver.ts'

/** The part of the driver pg that is used here. */
export interface Pg {
  readonly Client: new (options: ClientOptions) => PgClient
}

export interface ClientOptions {
  readonly connectionString: string
  readonly stream?: Socket
  readonly keepAlive?: boolean
}

export interface PgClient {
  /** The host name, or the folder of a Unix socket. */
  readonly host: string
  readonly port: number
  /** What a request to cancel names the connection by; null until the server has sent it. */
  readonly processID: number | null
  readonly secretKey: number | null
  connect(): Promise<unknown>
  readonly query: PostgresPool['query']
  end(): Promise<void>
  on(event: 'error', listener: (cause: Error) => void): unknown
  once(event: 'end', listener: () => void): unknown
}

/** Loads the driver. Rejects with `StartError` where it is missing. `source` is the flag or variable that requires it, `drivers` the folder that has it. */
export async function loadPg(source: string, drivers: string | undefined): Promise<Pg> {
  const loaded = (await loadDriver('pg', source, drivers)) as { default?: Pg } & Pg // import() of a CommonJS module
  return loaded.default ?? loaded
}

/** Throws `StartError` for an address that the driver cannot read. */
export function checkAddress({ Client }: Pg, connectionString: string, source: string): void {
  try {
    new Client({ connectionString })
  } catch {
    // The message of the cause may contain the address, with its password.
    throw new StartError(
      `${source} is not the address of a database: write postgres://USER:PASSWORD@HOST:5432/DATABASE, with special characters of the password percent-encoded`,
    )
  }
}
