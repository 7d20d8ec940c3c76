import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Caller, createKeyStore, type KeyRecord, type KeyStore, sha256 } from '../../core/index.ts'
import { keyStoreContract, type TestFunction } from './index.ts'
import { assertCaught, runContract } from './testing/run-contract.ts'

interface ReplacedStore extends KeyStore {
  replace(change: (keys: readonly KeyRecord[]) => readonly KeyRecord[]): void
}

type Find = (token: string) => Caller | undefined
/** Breaks the lookups of a store. */
type Break = (find: Find, clock: () => number) => KeyStore['find']

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

function contractOf(breakIt: Break): (test: TestFunction) => void {
  return (declare) =>
    keyStoreContract({
      test: declare,
      createStore: ({ clock }) => createReplaced(clock, breakIt),
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

const broken: readonly { defect: string; by: RegExp; breakIt: Break }[] = [
  {
    defect: 'finds a caller for every token',
    by: /no keys/,
    breakIt: () => () => ({ id: 'x', plan: 'free' }),
  },
  {
    defect: 'ignores the plan',
    by: /plan of each key/,
    breakIt: changing(({ id }) => ({ id, plan: 'free' })),
  },
  {
    defect: 'loses digits of a limit',
    by: /limits of the plan enterprise/,
    breakIt: changing((caller) => {
      const { minute, day } = caller.limits ?? { minute: 0, day: 0 }
      return caller.limits ? { ...caller, limits: { minute, day: Number(day.toPrecision(6)) } } : caller
    }),
  },
  {
    defect: 'names a caller after its key',
    by: /one caller for all keys/,
    breakIt: changing((caller, token) => ({ ...caller, id: `${caller.id} ${token}` })),
  },
  {
    defect: 'trims ids',
    by: /ids of any/,
    breakIt: changing((caller) => ({ ...caller, id: caller.id.trim() })),
  },
  {
    defect: 'cuts long tokens',
    by: /long ones/,
    breakIt: (find) => (token) => (token.length > 4096 ? undefined : find(token)),
  },
  { defect: 'trims tokens', by: /nearly a key/, breakIt: (find) => (token) => find(token.trim()) },
  {
    defect: 'accepts the hash in place of the key',
    by: /nearly a key/,
    breakIt(find) {
      const seen = new Map<string, Caller>()
      return (token) => {
        const found = find(token) ?? seen.get(token)
        if (found) seen.set(sha256(token), found)
        return found
      }
    },
  },
  {
    defect: 'mixes up lookups that come at once',
    by: /looked up at once/,
    breakIt(find) {
      let last = ''
      return async (token) => {
        last = token
        await null
        return find(last)
      }
    },
  },
  {
    defect: 'ignores expiry while it caches',
    by: /millisecond before it expires/,
    breakIt: caching(7_200_000),
  },
  {
    defect: 'caches unknown tokens for longer than five seconds',
    by: /after it was added/,
    breakIt: caching(5001, { misses: true }),
  },
  {
    defect: 'caches keys for longer than five seconds',
    by: /after it was revoked/,
    breakIt: caching(5001),
  },
  {
    defect: 'forgets its keys in a flood',
    by: /flood/,
    breakIt(find) {
      let unknown = 0
      return (token) => {
        const found = find(token)
        if (!found) unknown++
        return unknown > 1000 ? undefined : found
      }
    },
  },
]

for (const { defect, by, breakIt } of broken)
  test(`the contract catches a key store that ${defect}`, async () => {
    const results = await runContract(contractOf(breakIt))
    assertCaught(results, by)
  })

test('the contract accepts a key store that caches for five seconds', async () => {
  const results = await runContract(contractOf(caching(5000, { misses: true })))
  const failed = results.filter((result) => result.failed).map(({ name }) => name)
  // This cache does not know when a key expires.
  assert.deepEqual(
    failed.filter((name) => !name.includes('expires')),
    [],
  )
})

test('a case that requires what a key store cannot do is skipped by the runner, with its reason', async () => {
  const skipped: string[] = []
  const runner: TestFunction = Object.assign(() => {}, { skip: (name: string) => skipped.push(name) })
  const addKey = () => {}
  keyStoreContract({ test: runner, createStore: () => createKeyStore([]), addKey })
  assert.deepEqual(skipped.length, 1)
  assert.match(skipped[0] ?? '', /revoked.*\(skipped: no options\.revokeKey\)$/)
  skipped.length = 0
  keyStoreContract({
    test: runner,
    createStore: () => createKeyStore([]),
    addKey,
    capabilities: { clock: false },
  })
  assert.ok(skipped.some((name) => name.endsWith('(skipped: options.capabilities.clock is false)')))
})

test('the contract closes each store, also that of a case that failed', async () => {
  let open = 0
  await runContract((declare) =>
    keyStoreContract({
      test: declare,
      createStore() {
        open++
        return { find: () => Promise.reject(new Error('away')) }
      },
      addKey: () => {},
      closeStore: () => void open--,
    }),
  )
  assert.equal(open, 0)
})
