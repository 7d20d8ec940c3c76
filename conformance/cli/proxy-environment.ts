import { BlockList, isIP } from 'node:net'
import type { RunOptions } from '../index.ts'
import { stripBrackets } from '../network/proxy.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Chooses the proxy for a URL: `https_proxy` or `http_proxy`, unless `no_proxy` contains the host. Lower-case names
 * take precedence over upper-case ones.
 */
export function selectProxy(baseUrl: string, env: Environment): Pick<RunOptions, 'proxy'> {
  if (!URL.canParse(baseUrl)) return {}
  const url = new URL(baseUrl)
  const variable = (name: string): string | undefined => env[name] ?? env[name.toUpperCase()]
  const proxy = variable(`${url.protocol.slice(0, -1)}_proxy`)
  if (!proxy || bypassesProxy(url, variable('no_proxy') ?? '')) return {}
  return { proxy }
}

/**
 * Checks whether a list such as `NO_PROXY` contains a host. Entries are separated by commas or spaces, and have curl's
 * syntax: `*`, a domain with its subdomains, an IP address, or a network such as `10.0.0.0/8`. A port may follow.
 */
function bypassesProxy({ hostname, port, protocol }: URL, list: string): boolean {
  const host = stripBrackets(hostname.replace(/\.$/, ''))
  const ownPort = port || (protocol === 'https:' ? '443' : '80')
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      // An IPv6 address has colons, so a port after it requires brackets.
      const [, name = entry, entryPort = ownPort] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? []
      return entryPort === ownPort && matchesHost(host, stripBrackets(name).replace(/^\.+|\.$/g, ''))
    })
}

function matchesHost(host: string, entry: string): boolean {
  if (entry === '') return false
  if (entry === '*' || entry === host) return true
  return isIP(host) === 0 ? host.endsWith(`.${entry}`) : isInNetwork(host, entry)
}

/**
 * Checks whether an address is in a network such as `10.0.0.0/8`. An entry without a prefix length is a single address.
 */
function isInNetwork(address: string, entry: string): boolean {
  const [, network = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const [own, family] = [isIP(address), isIP(network)]
  const bits = family === 4 ? 32 : 128
  if (family === 0 || own !== family || Number(prefix ?? bits) > bits) return false
  const addressFamily = family === 4 ? 'ipv4' : 'ipv6'
  const networks = new BlockList()
  networks.addSubnet(network, Number(prefix ?? bits), addressFamily)
  return networks.check(address, addressFamily)
}
