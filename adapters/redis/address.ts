import { StartupError } from '../backend/index.ts'

type Host = { readonly host: string; readonly port: number }
type DriverOptions = Readonly<Record<string, unknown>> & { readonly password?: string; readonly db?: number }

/** A parsed Redis address, in the form that the driver expects. `options` can contain passwords, so do not log it. */
export interface RedisAddress {
  readonly kind: 'single' | 'cluster' | 'sentinel'
  readonly hosts: readonly Host[]
  readonly options: DriverOptions
}

/** Splits a Redis URL into its parts. The class `URL` does not accept several hosts. */
const addressPattern =
  /^redis(s?)(?:\+(cluster|sentinel))?:\/\/(?:([^:@]*):?(.*)@)?([^/]*)(?:\/([^?]*)(?:\?(.*))?)?$/is

/** Each address form, for error messages. */
export const addressForms = {
  single: 'redis://HOST:PORT',
  cluster: 'redis+cluster://HOST:PORT,HOST:PORT',
  sentinel: 'redis+sentinel://HOST:PORT,HOST:PORT/MASTER',
} as const
const allForms = `${addressForms.single}, rediss://HOST:PORT, ${addressForms.cluster} or ${addressForms.sentinel}`

/**
 * Parses a Redis URL. The credentials for Redis come before the first host. The credentials for Sentinels are the
 * parameters `sentinel-username` and `sentinel-password`.
 *
 * @throws {StartupError} If the URL is invalid. The message does not quote the URL, which can contain a password.
 */
export function parseRedisAddress(text: string): RedisAddress {
  const match = addressPattern.exec(text)
  if (!match) throw createInvalidAddressError(`expected ${allForms}`)
  const [, secure, scheme = 'single', user, password, hosts = '', path = '', query = ''] = match
  const kind = scheme.toLowerCase() as RedisAddress['kind'] // the pattern allows only these
  if (query !== '' && kind !== 'sentinel') throw createInvalidAddressError('remove the query string')
  const options = {
    ...(user && { username: decodePercentEncoding(user) }),
    ...(password && { password: decodePercentEncoding(password) }),
    ...(secure && { tls: {} }),
  }
  switch (kind) {
    case 'single':
      if (!/^\d{0,5}$/.test(path))
        throw createInvalidAddressError(`the path must be a database number, as in ${addressForms.single}/1`)
      return {
        kind,
        hosts: parseHosts(hosts || 'localhost', 6379, 1),
        options: { ...options, ...(path && { db: Number(path) }) },
      }
    case 'cluster':
      if (path !== '')
        throw createInvalidAddressError('remove the path, because a cluster has a single database')
      return { kind, hosts: parseHosts(hosts, 6379), options }
    case 'sentinel':
      if (!/^[\w.-]+$/.test(path))
        throw createInvalidAddressError(`the path must be the master name, as in ${addressForms.sentinel}`)
      return {
        kind,
        hosts: parseHosts(hosts, 26_379),
        options: {
          ...options,
          ...(secure && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
          name: path,
          ...parseSentinelCredentials(query),
        },
      }
  }
}

function parseHosts(text: string, defaultPort: number, maxHosts = Infinity): Host[] {
  const hosts = text.split(',').map((host) => {
    const url = URL.canParse(`redis://${host}`) ? new URL(`redis://${host}`) : undefined
    if (!url?.hostname || url.search || url.hash || url.pathname)
      throw createInvalidAddressError(`expected hosts separated by commas, as in ${addressForms.cluster}`)
    return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || defaultPort) }
  })
  if (hosts.length > maxHosts)
    throw createInvalidAddressError(
      `expected one host, or ${addressForms.cluster} or ${addressForms.sentinel}`,
    )
  return hosts
}

function parseSentinelCredentials(query: string): DriverOptions {
  const {
    'sentinel-username': user,
    'sentinel-password': password,
    ...others
  } = Object.fromEntries(new URLSearchParams(query))
  if (Object.keys(others).length > 0)
    throw createInvalidAddressError('only the parameters sentinel-username and sentinel-password are allowed')
  return { ...(user && { sentinelUsername: user }), ...(password && { sentinelPassword: password }) }
}

function decodePercentEncoding(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw createInvalidAddressError('percent-encode reserved characters, for example % as %25')
  }
}

function createInvalidAddressError(advice: string): StartupError {
  return new StartupError('invalid_address', `options.url is not a valid Redis address: ${advice}`)
}
