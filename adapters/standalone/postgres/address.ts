import { StartError } from '../errors.ts'

/** One of the servers that an address names. */
export interface Host {
  /** As the address has it, such as `db1.example.com:5432`; empty where the driver finds it by itself. */
  readonly name: string
  /** The address of this server alone. */
  readonly url: string
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
    /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/s.exec(address) ?? []
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
    hosts: names.map((name) => ({ name, url: `${scheme}${user}${name}${others}` })),
    queryTimeout: Number(timeout) || undefined,
  }
}
