import { BlockList, isIP } from 'node:net'
import type { RunOptions } from '../index.ts'

/** The variables of the program's environment. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the proxy that the environment has for a base URL: `https_proxy` or `http_proxy` by its scheme, unless
 * `no_proxy` has its host. A name in lower case wins over the same name in upper case.
 */
export function proxyFor(baseUrl: string, env: Environment): Pick<RunOptions, 'proxy'> {
  if (!URL.canParse(baseUrl)) return {}
  const url = new URL(baseUrl)
  const variable = (name: string): string | undefined => env[name] ?? env[name.toUpperCase()]
  const proxy = variable(`${url.protocol.slice(0, -1)}_proxy`)
  if (!proxy || bypassesProxy(url, variable('no_proxy') ?? '')) return {}
  return { proxy }
}

/**
 * Whether a list such as `NO_PROXY` has the host of an address. Its entries, separated by commas or blanks, are as
 * those of curl: `*`, a name (with all names below it, with or without a dot before it), an IP address, or a network
 * such as `10.0.0.0/8`. An entry with a port, such as `example.com:8080`, counts for that port alone.
 */
function bypassesProxy(url: URL, list: string): boolean {
  const host = withoutBrackets(url.hostname.toLowerCase().replace(/\.$/, ''))
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => covers(entry, host, port))
}

function covers(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  // an IPv6 address without brackets has no port
  const [, name = entry, entryPort] = isIP(entry) === 6 ? [] : (/^(.*?)(?::(\d+))?$/.exec(entry) ?? [])
  if (entryPort !== undefined && entryPort !== port) return false
  if (isIP(host) !== 0) return networkHas(name, host)
  const suffix = name.replace(/^\.+|\.$/g, '')
  return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`))
}

function withoutBrackets(text: string): string {
  return text.replace(/^\[(.*)\]$/, '$1')
}

/** Whether a network, or a single address, has an address. */
function networkHas(network: string, address: string): boolean {
  const [first = '', length] = network.split('/')
  const base = withoutBrackets(first)
  const [type, width] = isIP(base) === 6 ? (['ipv6', '128'] as const) : (['ipv4', '32'] as const)
  if (isIP(base) !== isIP(address)) return false
  const list = new BlockList()
  try {
    list.addSubnet(base, Number.parseInt(length ?? width, 10), type)
  } catch {
    return false // the length is none
  }
  return list.check(address, type)
}
