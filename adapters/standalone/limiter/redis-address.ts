import type { RedisOptions } from 'ioredis'

type Host = { readonly host: string; readonly port: number }
type Options = Omit<RedisOptions, 'replyMapping'> // whose type fits no constructor

/** An address of Redis, as the driver takes it. `options` have the passwords: never write them to a log. */
export type RedisAddress = { readonly hosts: Host[] } & (
  | { readonly kind: 'single'; readonly url: string }
  | { readonly kind: 'cluster' | 'sentinel'; readonly options: Options }
)

/** The addresses of several servers: TLS, kind, user, password, hosts, path and query. */
const several = /^redis(s?)\+(cluster|sentinel):\/\/(?:([^:@]*):?(.*)@)?([^/]*)(?:\/([^?]*)(?:\?([^?]*))?)?/is

/** The forms of an address, for messages. */
export const forms = {
  single: 'redis://HOST:PORT',
  cluster: 'redis+cluster://HOST:PORT,HOST:PORT',
  sentinel: 'redis+sentinel://HOST:PORT,HOST:PORT/MASTER',
} as const
const allForms = `${forms.single}, rediss://HOST:PORT, ${forms.cluster} or ${forms.sentinel}`

/**
 * Reads an address of `--redis`. The credentials of Redis are before the first host. The credentials of Sentinels are
 * the parameters `sentinel-username` and `sentinel-password`.
 *
 * @throws {Error} The form is unknown. The message does not contain the address, which may have a password.
 */
export function readRedisAddress(text: string): RedisAddress {
  const [, secure, scheme, user, password, hosts = '', path = '', query] = several.exec(text) ?? []
  if (scheme === undefined) {
    const protocol = URL.canParse(text) ? new URL(text).protocol : ''
    if (protocol !== 'redis:' && protocol !== 'rediss:') throw new Error(`give ${allForms}`)
    const { href, host } = new URL(text)
    return { kind: 'single', url: href, hosts: readHosts(host || 'localhost', 6379) }
  }
  const options = {
    ...(user && { username: decode(user) }),
    ...(password && { password: decode(password) }),
    ...(secure && { tls: {} }),
  }
  if (scheme.toLowerCase() === 'cluster') {
    if (path !== '') throw new Error('a cluster has one database: remove the text after the last port')
    return { kind: 'cluster', hosts: readHosts(hosts, 6379), options }
  }
  if (!/^[\w.-]+$/.test(path)) throw new Error(`end it with the name of the master, as in ${forms.sentinel}`)
  return {
    kind: 'sentinel',
    hosts: readHosts(hosts, 26_379),
    options: {
      ...options,
      ...(secure && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
      name: path,
      ...readSentinelCredentials(new URLSearchParams(query)),
    },
  }
}

function readHosts(text: string, defaultPort: number): Host[] {
  return text.split(',').map((host) => {
    const url = URL.canParse(`redis://${host}`) ? new URL(`redis://${host}`) : undefined
    if (!url?.hostname || url.search || url.hash || url.pathname)
      throw new Error(`separate hosts by commas, as in ${forms.cluster}`)
    return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || defaultPort) }
  })
}

function readSentinelCredentials(parameters: URLSearchParams): Options {
  const {
    'sentinel-username': user,
    'sentinel-password': password,
    ...others
  } = Object.fromEntries(parameters)
  if (Object.keys(others).length > 0)
    throw new Error('it may have only the parameters sentinel-username and sentinel-password')
  return { ...(user && { sentinelUsername: user }), ...(password && { sentinelPassword: password }) }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('percent-encode reserved characters: % is %25')
  }
}
