import { test } from 'node:test'
import { type Caller, type KeyRecord, type KeyStore, sha256 } from '../../core/index.ts'
import { keyStoreContract } from './index.ts'
import { type DeclareCases, type Defects, testDefects, testSkippedCases } from './testing/run-contract.ts'

type FindCaller = (token: string) => Caller | undefined
/** Returns a broken `find` method. */
type Break = (find: FindCaller, clock: () => number, keys: ReadonlyMap<string, KeyRecord>) => KeyStore['find']

/** Returns a contract for a store in memory with a broken `find` method. */
function declareContract(breakIt: Break, options: { readonly clock?: boolean } = {}): DeclareCases {
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

/** Returns a store that changes every caller that it finds. */
function createChangingStore(change: (caller: Caller, token: string) => Caller): Break {
  return (find) => (token) => {
    const foundCaller = find(token)
    return foundCaller && change(foundCaller, token)
  }
}

/** Returns a store that caches callers, and optionally unknown keys. */
function createCachingStore(cacheMs: number, { misses = false } = {}): Break {
  return (find, clock) => {
    const cache = new Map<string, { found: Caller | undefined; at: number }>()
    return (token) => {
      const entry = cache.get(token)
      if (entry && clock() - entry.at < cacheMs) return entry.found
      const foundCaller = find(token)
      if (foundCaller || misses) cache.set(token, { found: foundCaller, at: clock() })
      return foundCaller
    }
  }
}

declareContract((find) => find)(test)
testSkippedCases(
  declareContract((find) => find, { clock: false }),
  'options.clock is false',
)

const brokenStores: Defects<Break> = {
  'in concurrent lookups': {
    'ignores the plan': createChangingStore(({ id }) => ({ id, plan: 'free' })),
    'loses digits in a limit': createChangingStore(({ limits, ...caller }) => ({
      ...caller,
      ...(limits && { limits: { ...limits, day: Number(limits.day.toPrecision(6)) } }),
    })),
    'appends the key to each caller id': createChangingStore((caller, token) => ({
      ...caller,
      id: `${caller.id} ${token}`,
    })),
    'trims ids': createChangingStore((caller) => ({ ...caller, id: caller.id.trim() })),
    'does not find long keys': (find) => (token) => (token.length > 4096 ? undefined : find(token)),
    'finds a caller for every key': () => () => ({ id: 'shelter', plan: 'pro' }),
    'trims keys': (find) => (token) => find(token.trim()),
    'accepts the hash instead of the key': (find, _, keys) => (token) => find(token) ?? keys.get(token),
    'mixes up concurrent lookups'(find) {
      let last = ''
      return async (token) => {
        last = token
        await null
        return find(last)
      }
    },
    'loses its keys after 1,000 unknown ones'(find) {
      let unknown = 0
      return (token) => {
        const foundCaller = find(token)
        if (!foundCaller) unknown++
        return unknown > 1000 ? undefined : foundCaller
      }
    },
  },
  'applies changes to keys': {
    'ignores expiry while it caches': createCachingStore(7_200_000),
    'caches unknown keys for too long': createCachingStore(5001, { misses: true }),
    'caches keys for longer than 5 s': createCachingStore(5001),
  },
}

testDefects(brokenStores, declareContract)
