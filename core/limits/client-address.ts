import type { ServiceRequest } from '../http.ts'
import { type Address, bucketOf, contains, parseAddress, parseNetwork } from './address.ts'

/**
 * Which proxies are believed when they tell whom they speak for, in `X-Forwarded-For`: how many hops (1 is the last
 * entry), or the networks they are in, such as `10.0.0.0/8`. By default none.
 */
export type TrustProxy = number | readonly string[]

/** Finds the address that a request comes from, and names its bucket. */
export type ClientReader = (request: Pick<ServiceRequest, 'client' | 'header'>) => string

/** Throws a `TypeError` where `trust` is neither a number of hops nor a list of networks. */
export function createClientReader(trust: TrustProxy = 0): ClientReader {
  const find = typeof trust === 'number' ? byHops(trust) : byNetworks(trust)
  return (request) => {
    const peer = request.client === undefined ? undefined : parseAddress(request.client)
    const address = find(peer, () => forwardedFor(request)) ?? peer
    return address === undefined ? 'unknown' : bucketOf(address)
  }
}

/** Returns undefined where no entry can be read: then the peer counts. The entries begin with the last one. */
type Find = (peer: Address | undefined, entries: () => Iterable<string>) => Address | undefined

/** How many trusted proxies in a row are passed over. The address behind them counts as the client's, trusted or not. */
const maxProxies = 100

function byHops(hops: number): Find {
  if (!Number.isSafeInteger(hops) || hops < 0) {
    throw new TypeError('options.trustProxy must be a whole number of hops from 0, or a list of networks')
  }
  if (hops === 0) return (peer) => peer
  return (_peer, entries) => {
    let hop = 0
    for (const entry of entries()) if (++hop === hops) return parseAddress(entry)
    return undefined
  }
}

function byNetworks(list: readonly string[]): Find {
  if (!Array.isArray(list))
    throw new TypeError('options.trustProxy must be a number of hops, or a list of networks')
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
