/** One server: a Redis of a cluster, or a Sentinel. */
export interface HostPort {
  readonly host: string
  readonly port: number
}

/** How to sign in. Never written to a log. */
export interface Credentials {
  readonly username?: string
  readonly password?: string
}

/** Where the limits are counted. */
export type RedisAddress =
  | { readonly kind: 'single'; readonly url: string }
  | ({ readonly kind: 'cluster'; readonly seeds: readonly HostPort[] } & Access)
  | ({
      readonly kind: 'sentinel'
      readonly sentinels: readonly HostPort[]
      /** The name under which the Sentinels watch the master. */
      readonly master: string
      /** How to sign in to the Sentinels; `credentials` are those of Redis. */
      readonly sentinelCredentials: Credentials
    } & Access)

interface Access {
  readonly credentials: Credentials
  readonly tls: boolean
}

/** The addresses of several servers: TLS, kind, credentials, hosts, path and query. */
const several = /^redis(s?)\+(cluster|sentinel):\/\/(?:(.*)@)?([^/]*)(?:\/([^?]*)(?:\?([^?]*))?)?/is

/** The forms of an address, for messages. */
export const forms = {
  single: 'redis://HOST:PORT',
  cluster: 'redis+cluster://HOST:PORT,HOST:PORT',
  sentinel: 'redis+sentinel://HOST:PORT,HOST:PORT/MASTER',
} as const
const allForms = `${forms.single}, rediss://HOST:PORT, ${forms.cluster} or ${forms.sentinel}`

/**
 * Reads an address of `--redis`. Credentials of Redis stand once, before the first host; those
 * of Sentinels are the parameters `sentinel-username` and `sentinel-password`.
 *
 * @throws {Error} It has none of the forms. The message does not contain the address, which may have a password.
 */
export function readRedisAddress(text: string): RedisAddress {
  const [, secure, scheme, signIn = '', hosts = '', path = '', query = ''] = several.exec(text) ?? []
  if (scheme === undefined) {
    const protocol = URL.canParse(text) ? new URL(text).protocol : ''
    if (protocol !== 'redis:' && protocol !== 'rediss:') throw new Error(`give ${allForms}`)
    return { kind: 'single', url: new URL(text).href }
  }
  const kind = scheme.toLowerCase()
  const servers = hosts.split(',').map((host) => readHost(host, kind === 'cluster' ? 6379 : 26_379))
  const access = { credentials: readCredentials(signIn), tls: secure !== '' }
  if (kind === 'cluster') {
    if (path !== '') throw new Error('a cluster has one database: leave out what follows the last port')
    return { kind: 'cluster', seeds: servers, ...access }
  }
  if (!/^[\w.-]+$/.test(path)) throw new Error(`end it with the name of the master, as in ${forms.sentinel}`)
  return {
    kind: 'sentinel',
    sentinels: servers,
    master: path,
    sentinelCredentials: readSentinelCredentials(query),
    ...access,
  }
}

function readHost(text: string, defaultPort: number): HostPort {
  const url = URL.canParse(`redis://${text}`) ? new URL(`redis://${text}`) : undefined
  if (!url?.hostname || url.search || url.hash || url.pathname)
    throw new Error(`separate hosts by commas, as in ${forms.cluster}`)
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || defaultPort) }
}

function readSentinelCredentials(query: string): Credentials {
  const parameters = new URLSearchParams(query)
  const [username, password] = ['sentinel-username', 'sentinel-password'].map((name) => {
    const value = parameters.get(name)
    parameters.delete(name)
    return value
  })
  if (parameters.size > 0) throw new Error('its parameters are sentinel-username and sentinel-password')
  return { ...(username && { username }), ...(password && { password }) }
}

function readCredentials(text: string): Credentials {
  const colon = text.indexOf(':')
  const username = decode(colon < 0 ? text : text.slice(0, colon))
  const password = colon < 0 ? '' : decode(text.slice(colon + 1))
  return { ...(username && { username }), ...(password && { password }) }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('percent-encode reserved characters: % is %25')
  }
}
