import type { Socket } from 'node:net'
import type { PostgresPool } from '../../postgres/client.ts'
import { StartError } from '../errors.ts'
import { loadDriver } from '../load-driver.ts'

/** The part of the driver pg that is used here. */
export interface Pg {
  readonly Client: new (options: ClientOptions) => PgClient
}

interface ClientOptions {
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

/**
 * Reads an address, and loads the driver. Rejects with `StartError` where the driver is missing or cannot read the address.
 *
 * @param source - The flag or variable that has the address.
 * @param drivers - The folder that has the driver; by default next to the program.
 */
export async function loadPg(
  url: string,
  source: string,
  drivers: string | undefined,
): Promise<Address & { readonly pg: Pg }> {
  const address = readAddress(url, source)
  const loaded = (await loadDriver('pg', source, drivers)) as { default?: Pg } & Pg // import() of a CommonJS module
  const pg = loaded.default ?? loaded
  try {
    for (const host of address.hosts) new pg.Client({ connectionString: host.url })
  } catch {
    // The message of the cause may contain the address, with its password.
    throw new StartError(
      `${source} is not the address of a database: write postgres://USER:PASSWORD@HOST:5432/DATABASE, with special characters of the password percent-encoded`,
    )
  }
  return { ...address, pg }
}

/** One of the servers that an address names. */
export interface Host {
  /** As the address has it, such as `db1.example.com:5432`; empty where the driver finds it by itself. */
  readonly name: string
  /** The address of this server alone. */
  readonly url: string
  /** Whether there is no other, so that it is used whether it accepts changes or not. */
  readonly isOnly: boolean
}

/** What an address says. */
export interface Address {
  /** At least one. */
  readonly hosts: readonly Host[]
  /** How long a statement may take, in milliseconds: the parameter `query_timeout`, if there is one. */
  readonly queryTimeout: number | undefined
}

/**
 * Reads an address such as `postgres://USER:PASSWORD@HOST:5432,HOST:5432/DATABASE`. Throws `StartError`, which does not
 * show it.
 *
 * @param source - The flag or variable that has the address.
 */
export function readAddress(address: string, source: string): Address {
  const [, scheme, user = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/is.exec(address) ?? []
  if (scheme === undefined)
    throw new StartError(`${source} must be an address such as postgres://USER:PASSWORD@HOST:5432/DATABASE`)
  const names = hosts.split(',')
  if (names.length > 1 && names.some((name) => name === '' || name.startsWith(':')))
    throw new StartError(
      `${source} has an empty host: write postgres://USER:PASSWORD@HOST:5432,HOST:5432/DATABASE`,
    )
  // The driver would give the statement up, and the server go on with it.
  const [, timeout] = /[?&]query_timeout=(\d{1,9})(?=&|$)/.exec(rest) ?? []
  const others = rest.replaceAll(/([?&])query_timeout=[^&]*&?/g, '$1').replace(/[?&]$/, '')
  return {
    hosts: names.map((name) => ({
      name,
      url: `${scheme}${user}${name}${others}`,
      isOnly: names.length === 1,
    })),
    queryTimeout: Number(timeout) || undefined,
  }
}
