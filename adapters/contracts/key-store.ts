import assert from 'node:assert/strict'
import {
  type Caller,
  createKeyStore,
  type KeyRecord,
  type KeyStore,
  type MaybePromise,
  plans,
  sha256,
} from '../../core/index.ts'
import { type CaseClock, createCaseClock } from './case-clock.ts'
import { createRandom } from './random.ts'
import { type ContractCase, declareCases, type TestFunction } from './runner.ts'

/** How a case sets up its key store. */
export interface KeyStoreSetup {
  /** Returns the time of the case in milliseconds since the epoch. It stands still between the steps of the case. */
  readonly clock: () => number
}

/** How `keyStoreContract` is set up. */
export interface KeyStoreContractOptions<Store extends KeyStore = KeyStore> {
  /** The `test` of the test runner. */
  readonly test: TestFunction
  /** Creates a store without keys. Called once for each case. */
  readonly createStore: (setup: KeyStoreSetup) => MaybePromise<Store>
  /** Adds a key to a store, as an operator would: also while the store is in use. */
  readonly addKey: (store: Store, key: KeyRecord) => MaybePromise<void>
  /** Revokes the key with this SHA-256. Without it, the case of a revoked key is skipped. */
  readonly revokeKey?: (store: Store, sha256: string) => MaybePromise<void>
  /** Called when a case is over, whether it passed or failed. */
  readonly closeStore?: (store: Store) => MaybePromise<void>
  /** What the store supports; all true by default. A case that requires more is skipped. */
  readonly capabilities?: {
    /** It uses the clock of the setup, and no other. */
    readonly clock?: boolean
  }
}

/**
 * Declares a test for each rule of a `KeyStore` on which the service relies: it finds what `createKeyStore` does, among
 * many lookups at once, for keys that expire, that are revoked and that are added while the store is in use.
 *
 * @example
 * import { test } from 'node:test'
 * import { keyStoreContract } from 'pet-adoption-service/contracts'
 * import { createSqliteKeyStore, type SqliteDatabase } from 'pet-adoption-service/sqlite'
 *
 * declare const openDatabase: () => SqliteDatabase // such as new DatabaseSync(':memory:') of node:sqlite
 *
 * keyStoreContract({
 *   test,
 *   createStore: ({ clock }) => createSqliteKeyStore({ database: openDatabase(), clock }),
 *   addKey: async (keys, key) => void (await keys.update({ id: key.id }, () => [key])),
 * })
 */
export function keyStoreContract<Store extends KeyStore>(options: KeyStoreContractOptions<Store>): void {
  const { test, createStore, addKey, revokeKey, closeStore, capabilities = {} } = options

  declareCases({
    test,
    cases,
    missing: (need) =>
      need === 'revokeKey'
        ? !revokeKey && 'no options.revokeKey'
        : capabilities.clock === false && 'options.capabilities.clock is false',
    async open() {
      const clock = createCaseClock()
      const store = await createStore({ clock: clock.now })
      return {
        clock,
        store,
        add: (key: KeyRecord) => addKey(store, key),
        revoke: (hash: string) => revokeKey?.(store, hash),
      }
    },
    close: ({ store }) => closeStore?.(store),
  })
}

/** A key store under test. */
interface KeyBench {
  readonly clock: CaseClock
  readonly store: KeyStore
  add(key: KeyRecord): MaybePromise<void>
  revoke(sha256: string): MaybePromise<void>
}

type KeyStoreCase = ContractCase<KeyBench, 'clock' | 'revokeKey'>

const isoTime = (ms: number) => new Date(ms).toISOString()
const shelter: Caller = { id: 'shelter', plan: 'pro' }
const large: Caller = { id: 'large', plan: 'enterprise', limits: { minute: 7, day: 70 } }

/** Keys of one store, and the callers that they must lead to. */
const callers: Readonly<Record<string, Caller>> = {
  'My-first-long-api-key=': { id: 'free', plan: 'free' },
  'key-of-business': { id: 'business', plan: 'business' },
  'old-key': large,
  'new-key': large,
  'key-2': { ...large, id: `O'Neill "x" \\ %_`, limits: { minute: 4_999, day: 1_000_001 } },
  'key-3': { ...large, id: 'a'.repeat(500), limits: { minute: 100_000_000, day: 100_000_000 } },
  '-._~+/09azAZ': { ...shelter, id: ' ' },
  '7==': { ...shelter, id: '007' },
  ['k'.repeat(8_000)]: { ...shelter, id: 'shelter\u00e9\u{1f415}' },
}

/** How long a store may take to show a change, in milliseconds. */
const showsWithinMs = 5_000

const cases: readonly KeyStoreCase[] = [
  {
    name: 'finds the id, plan and limits of each key exactly, and nothing for other tokens, of many looked up at once',
    async run(bench) {
      const createdAt = isoTime(bench.clock.now())
      const keys = Object.entries(callers).map(([token, caller]) => ({
        ...caller,
        sha256: sha256(token),
        createdAt,
      }))
      for (const key of keys) await bench.add(key)
      const tokens = Object.keys(callers)
      const [token = ''] = tokens
      const shorter = token.slice(0, -1)
      const near = [sha256(token), token.toLowerCase(), shorter, `${shorter}x`, `${token}=`, ` ${token}`, '%']
      const unknown = Array.from({ length: 2_000 }, (_, i) => `unknown-${i}`)
      await compare(bench, keys, [...tokens, ...near, ...tokens, ...unknown, ...tokens])
      await compare(bench, keys, tokens)
    },
  },
  {
    name: 'finds each key until the millisecond before it expires, at the latest five seconds after it was added',
    needs: ['clock'],
    run: (bench) => overRandomChanges(bench, ['add']),
  },
  {
    name: 'finds no key that was revoked five seconds ago, and the other keys of its id',
    needs: ['clock', 'revokeKey'],
    run: (bench) => overRandomChanges(bench, ['add', 'revoke']),
  },
]

/** Adds keys, revokes them and lets them expire, whether they were looked up before or not. */
async function overRandomChanges(bench: KeyBench, changes: readonly ['add', ...'revoke'[]]): Promise<void> {
  const { clock, store } = bench
  const random = createRandom(0)
  const keys: KeyRecord[] = []
  /** The last one is looked up before its key is added. */
  const tokens = () => Array.from({ length: keys.length + 1 }, (_, i) => `key-${i}`)
  for (let step = 0; step < 60; step++) {
    const [change, place] = [random.pick(changes), random.whole(0, keys.length - 1)]
    const [now, old] = [clock.now(), keys[place]]
    if (change === 'add') {
      const expiresAt = isoTime(now + random.pick([-1, 1, 2 * showsWithinMs, 1_000 * showsWithinMs]))
      const added = { ...shelter, sha256: sha256(`key-${keys.length}`), createdAt: isoTime(now) }
      const key = { ...added, ...random.pick([{}, { expiresAt }]) }
      keys.push(key)
      await bench.add(key)
    } else if (old && !old.revokedAt) {
      keys[place] = { ...old, revokedAt: isoTime(now) }
      await bench.revoke(old.sha256)
    }
    // A look-up does not extend the five seconds.
    if (random.pick([true, false])) await Promise.all(tokens().map((token) => store.find(token)))
    clock.advance(showsWithinMs)
    await compare(bench, keys, tokens())
    const untilExpiry = Date.parse(keys[place]?.expiresAt ?? '') - clock.now()
    if (untilExpiry > 0) {
      clock.advance(untilExpiry - 1)
      await compare(bench, keys, tokens())
      clock.advance(1)
      await compare(bench, keys, tokens())
    }
  }
}

/** Looks tokens up at once, and compares what is found with what the store in memory finds. */
async function compare(
  { clock, store }: KeyBench,
  keys: readonly KeyRecord[],
  tokens: readonly string[],
): Promise<void> {
  const reference = createKeyStore(keys, { clock: clock.now })
  const found = await Promise.all(tokens.map((token) => store.find(token)))
  for (const [i, token] of tokens.entries())
    assert.deepEqual(withLimits(found[i]), withLimits(await reference.find(token)), `the caller of ${token}`)
}

/** Returns a caller with its limits: those of its plan where it has none of its own. */
function withLimits(caller: Caller | undefined): object | undefined {
  if (!caller) return undefined
  const { id, plan, limits = plan === 'enterprise' ? undefined : plans[plan] } = caller
  return { id, plan, minute: limits?.minute, day: limits?.day }
}
