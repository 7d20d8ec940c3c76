import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Caller, createKeyStore, type KeyRecord, type KeyStore, sha256 } from '../../core/index.ts'
import { keyStoreContract } from './index.ts'
import { type Broken, contractFinds, type Declare, declaredBy } from './testing/run-contract.ts'

interface ReplacedStore extends KeyStore {
  replace(change: (keys: readonly KeyRecord[]) => readonly KeyRecord[]): void
}

type Find = (token: string) => Caller | undefined
/** Breaks the lookups of a store. */
type Break = (find: Find, clock: () => number) => KeyStore['find']
/** Breaks nothing. */
const intact: Break = (find) => find

function createReplaced(clock: () => number, breakIt: Break): ReplacedStore {
  let keys: readonly KeyRecord[] = []
  let store = createKeyStore(keys, { clock })
  return {
    find: breakIt((token) => store.find(token) as Caller | undefined, clock), // it returns no promise
    replace(change) {
      keys = change(keys)
      store = createKeyStore(keys, { clock })
    },
  }
}

function contractOf(breakIt: Break): Declare {
  return (declare) =>
    keyStoreContract({
      test: declare,
      create: ({ clock }) => createReplaced(clock, breakIt),
      addKey: (store, key) => store.replace((keys) => [...keys, key]),
      revokeKey: (store, hash) =>
        store.replace((keys) =>
          keys.map((key) => (key.sha256 === hash ? { ...key, revokedAt: '2026-11-20' } : key)),
        ),
    })
}

/** Changes each caller that is found. */
function changing(change: (caller: Caller, token: string) => Caller): Break {
  return (find) => (token) => {
    const found = find(token)
    return found && change(found, token)
  }
}

/** Caches what is found for some milliseconds, and with `misses` also what is not. */
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

contractOf(intact)(test)

const broken: Broken<Break> = {
  'many looked up at once': {
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
    'accepts the hash in place of the key'(find) {
      const seen = new Map<string, Caller>()
      return (token) => {
        const found = find(token) ?? seen.get(token)
        if (found) seen.set(sha256(token), found)
        return found
      }
    },
    'mixes up lookups that come at once'(find) {
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

contractFinds(broken, contractOf)

test('a case that requires what a key store cannot do is skipped by the runner, with its reason', () => {
  const { skipped, run } = declaredBy((declare) =>
    keyStoreContract({
      test: declare,
      create: () => createKeyStore([]),
      addKey() {},
      revokeKey() {},
      clock: false,
    }),
  )
  assert.deepEqual([skipped.length, run.length], [1, 1])
  assert.match(skipped[0] ?? '', /\(skipped: options\.clock is false\)$/)
})
