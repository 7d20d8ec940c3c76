import { BlockList, isIP } from 'node:net'
import type { RunOptions } from '../index.ts'

/** The variables of the program's environment. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the proxy that the environment has for a base URL: `https_proxy` or `http_proxy` by its scheme, unless
 * `no_proxy` has its host. A name in lower case wins over the same name in upper case.
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
 * Returns `true` if a list such as `NO_PROXY` has the host of an address. Its entries, separated by commas or blanks,
 * have the syntax of curl: `*`, a name with all names below it, an IP address or a network such as `10.0.0.0/8`. A port
 * may follow a name or an address.
 */
function bypassesProxy({ hostname, port, protocol }: URL, list: string): boolean {
  const host = removeBrackets(hostname.replace(/\.$/, ''))
  const ownPort = port || (protocol === 'https:' ? '443' : '80')
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      // an IPv6 address has a port only behind brackets
      const [, name = entry, entryPort = ownPort] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? []
      return entryPort === ownPort && matchesHost(host, removeBrackets(name).replace(/^\.+|\.$/g, ''))
    })
}

function matchesHost(host: string, entry: string): boolean {
  if (entry === '') return false
  if (entry === '*' || entry === host) return true
  return isIP(host) === 0 ? host.endsWith(`.${entry}`) : isInNetwork(host, entry)
}

/** Returns `true` if an address is in a network such as `10.0.0.0/8` or `fd00::/8`, or is another spelling of an address. */
function isInNetwork(address: string, entry: string): boolean {
  const [, network = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const [own, family] = [isIP(address), isIP(network)]
  const bits = family === 4 ? 32 : 128
  if (family === 0 || own !== family || Number(prefix ?? bits) > bits) return false
  const type = family === 4 ? 'ipv4' : 'ipv6'
  const networks = new BlockList()
  networks.addSubnet(network, Number(prefix ?? bits), type)
  return networks.check(address, type)
}

function removeBrackets(text: string): string {
  return text.replace(/^\[(.*)\]$/, '$1')
}
