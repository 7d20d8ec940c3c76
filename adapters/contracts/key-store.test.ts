import { test } from 'node:test'
import { type Caller, type KeyRecord, type KeyStore, sha256 } from '../../core/index.ts'
import { keyStoreContract } from './index.ts'
import { type Broken, contractFinds, contractSkips, type Declare } from './testing/run-contract.ts'

type FindCaller = (token: string) => Caller | undefined
/** Breaks the lookups of a store. */
type Break = (find: FindCaller, clock: () => number, keys: ReadonlyMap<string, KeyRecord>) => KeyStore['find']

/** Declares the contract over a small store whose lookups are broken. */
function declareContract(breakIt: Break, options: { readonly clock?: boolean } = {}): Declare {
  return (declare) =>
    keyStoreContract({
      ...options,
      test: declare,
      create({ clock }) {
        const keys = new Map<string, KeyRecord>()
        const find: FindCaller = (token) => {
          const key = keys.get(sha256(token))
          return key && clock() >= Date.parse(key.expiresAt ?? '') ? undefined : key
        }
        return { keys, find: breakIt(find, clock, keys) }
      },
      addKey: ({ keys }, key) => void keys.set(key.sha256, key),
      revokeKey: ({ keys }, hash) => void keys.delete(hash),
    })
}

/** Changes each caller that is found. */
function changing(change: (caller: Caller, token: string) => Caller): Break {
  return (find) => (token) => {
    const found = find(token)
    return found && change(found, token)
  }
}

/** Caches hits for some milliseconds, and with `misses` also misses. */
function caching(cacheMs: number, { misses = false } = {}): Break {
  return (find, clock) => {
    const cache = new Map<string, { found: Caller | undefined; at: number }>()
    return (token) => {
      const entry = cache.get(token)
      if (entry && clock() - entry.at < cacheMs) return entry.found
      const found = find(token)
      if (found || misses) cache.set(token, { found, at: clock() })
      return found
    }
  }
}

declareContract((find) => find)(test)
contractSkips(
  declareContract((find) => find, { clock: false }),
  'options.clock is false',
)

const broken: Broken<Break> = {
  'in concurrent lookups': {
    'ignores the plan': changing(({ id }) => ({ id, plan: 'free' })),
    'loses digits of a limit': changing(({ limits, ...caller }) => ({
      ...caller,
      ...(limits && { limits: { ...limits, day: Number(limits.day.toPrecision(6)) } }),
    })),
    'names a caller after its key': changing((caller, token) => ({ ...caller, id: `${caller.id} ${token}` })),
    'trims ids': changing((caller) => ({ ...caller, id: caller.id.trim() })),
    'cuts long tokens': (find) => (token) => (token.length > 4096 ? undefined : find(token)),
    'finds a caller for every token': () => () => ({ id: 'shelter', plan: 'pro' }),
    'trims tokens': (find) => (token) => find(token.trim()),
    'accepts the hash in place of the key': (find, _, keys) => (token) => find(token) ?? keys.get(token),
    'mixes up concurrent lookups'(find) {
      let last = ''
      return async (token) => {
        last = token
        await null
        return find(last)
      }
    },
    'forgets its keys in a flood'(find) {
      let unknown = 0
      return (token) => {
        const found = find(token)
        if (!found) unknown++
        return unknown > 1000 ? undefined : found
      }
    },
  },
  'until it expires': {
    'ignores expiry while it caches': caching(7_200_000),
    'caches unknown tokens for too long': caching(5001, { misses: true }),
    'caches keys for longer than five seconds': caching(5001),
  },
}

contractFinds(broken, declareContract)
