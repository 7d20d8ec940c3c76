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
import { toIsoTime } from '../../core/internal.ts'
import { createRandom } from './random.ts'
import { type CaseClock, type ContractOptions, createCaseDeclarer } from './runner.ts'

/**
 * Options for {@link keyStoreContract}. `create` receives `clock`, which returns the test's time in milliseconds since
 * the epoch.
 */
export interface KeyStoreContractOptions<Store extends KeyStore = KeyStore>
  extends ContractOptions<Store, { readonly clock: () => number }> {
  /** Adds a key, also while the store is in use. */
  readonly addKey: (store: Store, key: KeyRecord) => MaybePromise<void>
  /** Revokes the key with this SHA-256 hash, also while the store is in use. */
  readonly revokeKey: (store: Store, sha256: string) => MaybePromise<void>
  /**
   * Whether the store uses the clock that the test passes to `create`. Pass `false` to skip the tests that need that
   * clock.
   *
   * @default true
   */
  readonly clock?: boolean
}

/**
 * Declares tests for a `KeyStore` implementation. The store must find the same callers as `createKeyStore`: in
 * concurrent lookups, and for keys that expire, are revoked, or are added while the store is in use.
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
 *   create: ({ clock }) => createSqliteKeyStore({ database: openDatabase(), clock }),
 *   addKey: async (keys, key) => void (await keys.update({ id: key.id }, () => [key])),
 *   async revokeKey(keys, sha256) {
 *     await keys.update({ sha256 }, (found) => found.map((key) => ({ ...key, revokedAt: '2026-11-20' })))
 *   },
 * })
 */
export function keyStoreContract<Store extends KeyStore>(options: KeyStoreContractOptions<Store>): void {
  const declareCase = createCaseDeclarer(options, (clock) => ({ clock }))

  declareCase('finds the right caller in concurrent lookups', (store, clock) =>
    lookUpConcurrently(store, clock, options),
  )
  declareCase(
    'applies changes to keys within 5 s, and rejects expired keys immediately',
    (store, clock) => compareAfterChanges(store, clock, options),
    options.clock === false && 'options.clock is false',
  )
}

const createRecord = (token: string, caller: Caller, now: number): KeyRecord => ({
  ...caller,
  sha256: sha256(token),
  createdAt: toIsoTime(now),
})
const shelter: Caller = { id: 'shelter', plan: 'pro' }
const largeCaller: Caller = { id: 'large', plan: 'enterprise', limits: { minute: 7, day: 70 } }

/** Callers by key, with unusual ids, limits and keys. */
const callers: Readonly<Record<string, Caller>> = {
  'My-first-long-api-key=': { id: 'free', plan: 'free' },
  'old-key': largeCaller,
  'new-key': largeCaller,
  'key-2': { ...largeCaller, id: `O'Neill "x" \\ %_`, limits: { minute: 4_999, day: 1_000_001 } },
  'key-3': { ...largeCaller, id: 'a'.repeat(500), limits: { minute: 100_000_000, day: 100_000_000 } },
  '-._~+/09azAZ': { ...shelter, id: ' ' },
  '7==': { id: '007', plan: 'business' },
  ['k'.repeat(8_000)]: { ...shelter, id: 'shelter\u00e9\u{1f415}' },
}

/** How long a store may take to apply a key change, in milliseconds. */
const maxDelayMs = 5_000

async function lookUpConcurrently<Store extends KeyStore>(
  store: Store,
  clock: CaseClock,
  { addKey }: KeyStoreContractOptions<Store>,
): Promise<void> {
  const tokens = Object.keys(callers)
  const keys = Object.entries(callers).map(([token, caller]) => createRecord(token, caller, clock.now()))
  for (const key of keys) await addKey(store, key)
  const [token = ''] = tokens
  const shortenedToken = token.slice(0, -1)
  const similarTokens = [
    sha256(token),
    token.toLowerCase(),
    shortenedToken,
    `${shortenedToken}x`,
    `${token}=`,
    ` ${token}`,
    '%',
  ]
  const unknownTokens = Array.from({ length: 2_000 }, (_, i) => `unknown-${i}`)
  const referenceStore = createKeyStore(keys, { clock: clock.now })
  await compareLookups(store, referenceStore, [
    ...tokens,
    ...similarTokens,
    ...tokens,
    ...unknownTokens,
    ...tokens,
  ])
  await compareLookups(store, referenceStore, tokens)
}

/**
 * Adds and revokes keys at random. After each change, the store must agree with `createKeyStore`, also just before and
 * after a key expires.
 */
async function compareAfterChanges<Store extends KeyStore>(
  store: Store,
  clock: CaseClock,
  { addKey, revokeKey }: KeyStoreContractOptions<Store>,
): Promise<void> {
  const random = createRandom(0)
  const keys: KeyRecord[] = []
  /** Returns all keys so far, and the key that is added next. */
  const listTokens = () => Array.from({ length: keys.length + 1 }, (_, i) => `key-${i}`)
  for (let step = 0; step < 60; step++) {
    const keyIndex = random.integer(0, keys.length)
    const [now, old] = [clock.now(), keys[keyIndex]]
    if (old && random.pick([true, false])) {
      keys[keyIndex] = { ...old, revokedAt: toIsoTime(now) }
      await revokeKey(store, old.sha256)
    } else {
      const expiresAt = toIsoTime(now + random.pick([-1, 1, 2 * maxDelayMs, 1_000 * maxDelayMs]))
      const key = { ...createRecord(`key-${keys.length}`, shelter, now), ...random.pick([{}, { expiresAt }]) }
      keys.push(key)
      await addKey(store, key)
    }
    // A lookup must not extend the 5 s.
    if (random.pick([true, false])) await Promise.all(listTokens().map((token) => store.find(token)))
    clock.advance(maxDelayMs)
    const referenceStore = createKeyStore(keys, { clock: clock.now })
    await compareLookups(store, referenceStore, listTokens())
    const untilExpiry = Date.parse(keys[keyIndex]?.expiresAt ?? '') - clock.now()
    for (const ms of untilExpiry > 0 ? [untilExpiry - 1, 1] : []) {
      clock.advance(ms)
      await compareLookups(store, referenceStore, listTokens())
    }
  }
}

/** Compares the callers that two stores find for each key. */
async function compareLookups(
  store: KeyStore,
  reference: KeyStore,
  tokens: readonly string[],
): Promise<void> {
  const foundCallers = await Promise.all(tokens.map((token) => store.find(token)))
  for (const [i, token] of tokens.entries())
    assert.deepEqual(
      withLimits(foundCallers[i]),
      withLimits(await reference.find(token)),
      `find() returned a wrong caller for ${token}`,
    )
}

/** Returns a caller with its own limits, or the plan's limits. */
function withLimits(caller: Caller | undefined): object | undefined {
  if (!caller) return undefined
  const { id, plan, limits = plan === 'enterprise' ? undefined : plans[plan] } = caller
  return { id, plan, minute: limits?.minute, day: limits?.day }
}
