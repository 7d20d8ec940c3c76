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
import { type ContractCase, declareCases, type TestFunction, using } from './runner.ts'

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

  declareCases(
    test,
    keyStoreCases,
    (need) =>
      need === 'revokeKey'
        ? !revokeKey && 'no options.revokeKey'
        : capabilities.clock === false && 'options.capabilities.clock is false',
    ({ run }) => {
      const clock = createCaseClock()
      return using(
        () => createStore({ clock: clock.now }),
        closeStore,
        (store) =>
          run({
            clock,
            add: async (key) => addKey(store, key),
            revoke: async (hash) => revokeKey?.(store, hash),
            find: async (token) => store.find(token),
          }),
      )
    },
  )
}

/** A key store under test. */
interface KeyBench {
  readonly clock: CaseClock
  add(key: KeyRecord): Promise<void>
  revoke(sha256: string): Promise<void>
  find(token: string): Promise<Caller | undefined>
}

interface KeyStoreCase extends ContractCase<'clock' | 'revokeKey'> {
  run(bench: KeyBench): Promise<void>
}

const isoTime = (ms: number) => new Date(ms).toISOString()
const shelter: Caller = { id: 'shelter', plan: 'pro' }
const enterprise = (id: string, minute: number, day: number): Caller => ({
  id,
  plan: 'enterprise',
  limits: { minute, day },
})

/** Keys of one store, and the callers that they must lead to. */
const callers: Readonly<Record<string, Caller>> = {
  'My-first-long-api-key=': { id: 'free', plan: 'free' },
  'key-of-business': { id: 'business', plan: 'business' },
  'old-key': enterprise('large', 7, 70),
  'new-key': enterprise('large', 7, 70),
  'key-2': enterprise(`O'Neill "x" \\ %_`, 4_999, 1_000_001),
  'key-3': enterprise('a'.repeat(500), 100_000_000, 100_000_000),
  '-._~+/09azAZ': { ...shelter, id: ' ' },
  '7==': { ...shelter, id: '007' },
  ['k'.repeat(8_000)]: { ...shelter, id: 'shelter\u00e9\u{1f415}' },
}

/** How long a store may take to show a change, in milliseconds. */
const showsWithinMs = 5_000

const keyStoreCases: readonly KeyStoreCase[] = [
  {
    name: 'finds the id, plan and limits of each key exactly, and nothing for other tokens, of many looked up at once',
    async run(bench) {
      const keys = Object.entries(callers).map(([token, caller]) => ({ ...caller, sha256: sha256(token) }))
      for (const key of keys) await bench.add({ ...key, createdAt: isoTime(bench.clock.now()) })
      const tokens = Object.keys(callers)
      const [token = ''] = tokens
      const near = [sha256(token), token.toLowerCase(), token.slice(0, -1), `${token}=`, ` ${token}`, '%']
      const characters = [...token]
      const changed = characters.map((_, i) => characters.with(i, 'x').join(''))
      const unknown = Array.from({ length: 2_000 }, (_, i) => `unknown-${i}`)
      await compare(bench, keys, [...tokens, ...near, ...tokens, ...changed, ...unknown, ...tokens])
      await compare(bench, keys, tokens)
    },
  },
  {
    name: 'finds each key until the millisecond before it expires, at the latest five seconds after it was added',
    needs: ['clock'],
    run: (bench) => overRandomChanges(bench, ['add', 'expire']),
  },
  {
    name: 'finds no key that was revoked five seconds ago, and the other keys of its id',
    needs: ['clock', 'revokeKey'],
    run: (bench) => overRandomChanges(bench, ['add', 'expire', 'revoke']),
  },
]

/** Adds keys, revokes them and lets them expire, whether they were looked up before or not. */
async function overRandomChanges(
  bench: KeyBench,
  kinds: readonly ['add', ...('expire' | 'revoke')[]],
): Promise<void> {
  const { clock, find, add, revoke } = bench
  const random = createRandom(0)
  const keys: KeyRecord[] = []
  /** The last one is looked up before its key is added. */
  const tokens = () => Array.from({ length: keys.length + 1 }, (_, i) => `key-${i}`)
  for (let step = 0; step < 60; step++) {
    const now = clock.now()
    const kind = random.pick(kinds)
    if (kind === 'expire') {
      const expiries = keys
        .map(({ expiresAt = '' }) => Date.parse(expiresAt))
        .filter((expiry) => expiry > now)
      const next = expiries.length > 0 ? Math.min(...expiries) : now + 1
      clock.advance(next - now - 1)
      await compare(bench, keys, tokens())
      clock.advance(1)
    } else {
      const place = random.whole(0, keys.length - 1)
      const key = keys[place]
      if (kind === 'add') {
        const expiresAt = isoTime(now + random.pick([-1, 1, 2 * showsWithinMs, 1_000 * showsWithinMs]))
        const added = { ...shelter, sha256: sha256(`key-${keys.length}`), createdAt: isoTime(now) }
        keys.push({ ...added, ...random.pick([{}, { expiresAt }]) })
        await add(keys.at(-1) ?? added)
      } else if (key && !key.revokedAt) {
        keys[place] = { ...key, revokedAt: isoTime(now) }
        await revoke(key.sha256)
      }
      if (random.pick([true, false])) await Promise.all(tokens().map(find)) // does not extend the five seconds
      clock.advance(showsWithinMs)
    }
    await compare(bench, keys, tokens())
  }
}

/** Looks tokens up at once, and compares what is found with what the store in memory finds. */
async function compare(
  { clock, find }: KeyBench,
  keys: readonly KeyRecord[],
  tokens: readonly string[],
): Promise<void> {
  const reference = createKeyStore(keys, { clock: clock.now })
  const found = await Promise.all(tokens.map(find))
  for (const [i, token] of tokens.entries())
    assert.deepEqual(withLimits(found[i]), withLimits(await reference.find(token)), `the caller of ${token}`)
}

/** Returns a caller with its limits: those of its plan where it has none of its own. */
function withLimits(caller: Caller | undefined): object | undefined {
  if (!caller) return undefined
  const { id, plan, limits = plan === 'enterprise' ? undefined : plans[plan] } = caller
  return { id, plan, minute: limits?.minute, day: limits?.day }
}
