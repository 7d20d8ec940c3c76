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
 * those of curl: `*`, a name (with all names below it, with or without a dot before it), or an IP address as URLs have
 * it.
 */
function bypassesProxy(url: URL, list: string): boolean {
  const host = withoutBrackets(url.hostname.replace(/\.$/, ''))
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .map((entry) => withoutBrackets(entry).replace(/^\.+|\.$/g, ''))
    .filter((entry) => entry !== '')
    .some((entry) => entry === '*' || entry === host || (isIP(host) === 0 && host.endsWith(`.${entry}`)))
}

function withoutBrackets(text: string): string {
  return text.replace(/^\[(.*)\]$/, '$1')
}
