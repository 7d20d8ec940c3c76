import type { ServiceRequest } from '../http.ts'
import { type Address, bucketOf, contains, parseAddress, parseNetwork } from './address.ts'

/**
 * The trusted proxies, whose `X-Forwarded-For` counts: the number of hops, a whole number from 0 (with 1, the last entry
 * is the client), or the networks of the proxies, such as `10.0.0.0/8`.
 */
export type TrustProxy = number | readonly string[]

/** Returns the name of the bucket of the client address of a request. */
export type ClientReader = (request: Pick<ServiceRequest, 'client' | 'header'>) => string

const expected = 'options.trustProxy must be a whole number of hops from 0, or a list of networks'

/**
 * Creates the function that finds the client address of a request.
 *
 * @throws {TypeError} `trust` is neither a number of hops nor a list of networks.
 */
export function createClientReader(trust: TrustProxy = 0): ClientReader {
  const find = typeof trust === 'number' ? byHops(trust) : byNetworks(trust)
  return (request) => {
    const peer = request.client === undefined ? undefined : parseAddress(request.client)
    const address = find(peer, () => forwardedFor(request)) ?? peer
    return address === undefined ? 'unknown' : bucketOf(address)
  }
}

/** Finds the client address. The entries of the proxies begin with the last one. Returns undefined if they are invalid: then the peer counts. */
type Find = (peer: Address | undefined, entries: () => Iterable<string>) => Address | undefined

/** The maximum number of trusted proxies in a row. The address before them counts as that of the client, trusted or not. */
const maxProxies = 100

function byHops(hops: number): Find {
  if (!Number.isSafeInteger(hops) || hops < 0) throw new TypeError(expected)
  if (hops === 0) return (peer) => peer
  return (_peer, entries) => {
    let hop = 0
    for (const entry of entries()) if (++hop === hops) return parseAddress(entry)
    return undefined
  }
}

function byNetworks(list: readonly string[]): Find {
  if (!Array.isArray(list)) throw new TypeError(expected)
  const networks = list.map((text) => {
    const network = parseNetwork(String(text))
    if (!network) throw new TypeError(`options.trustProxy: "${text}" is not a network such as 10.0.0.0/8`)
    return network
  })
  const isTrusted = (address: Address) => networks.some((network) => contains(network, address))
  return (peer, entries) => {
    let client: Address | undefined = peer
    let proxies = 1
    for (const entry of peer !== undefined && isTrusted(peer) ? entries() : []) {
      client = parseAddress(entry)
      if (client === undefined || !isTrusted(client) || proxies++ === maxProxies) break
    }
    return client
  }
}

function* forwardedFor(request: Pick<ServiceRequest, 'header'>): Generator<string> {
  const field = request.header('x-forwarded-for') ?? ''
  for (let end = field.length; end >= 0; ) {
    const comma = end > 0 ? field.lastIndexOf(',', end - 1) : -1
    const entry = field.slice(comma + 1, end).trim()
    if (entry !== '') yield entry
    end = comma
  }
}
