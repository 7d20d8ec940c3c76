import { isIP } from 'node:net'
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
 * those of curl: `*`, a name (with all names below it, with or without a dot before it), or an IP
 * address as URLs have it. An entry with a port, such as `example.com:8080`, counts for that port alone.
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
  if (isIP(host) !== 0) return withoutBrackets(name) === host
  const suffix = name.replace(/^\.+|\.$/g, '')
  return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`))
}

function withoutBrackets(text: string): string {
  return text.replace(/^\[(.*)\]$/, '$1')
}
