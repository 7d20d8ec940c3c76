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
import { type CaseClock, type ContractOptions, createDeclarer } from './runner.ts'

/** Options of `keyStoreContract`. `clock` returns the time of a case in milliseconds since the epoch. */
export interface KeyStoreContractOptions<Store extends KeyStore = KeyStore>
  extends ContractOptions<Store, { readonly clock: () => number }> {
  /** Adds a key to a store, as an operator would: also while the store is in use. */
  readonly addKey: (store: Store, key: KeyRecord) => MaybePromise<void>
  /** Revokes the key with this SHA-256, as an operator would. */
  readonly revokeKey: (store: Store, sha256: string) => MaybePromise<void>
  /** Set it to false if the store has a clock of its own; true by default. Cases that need the clock of the case are skipped then. */
  readonly clock?: boolean
}

/**
 * Declares a test for each rule of a `KeyStore` that the service relies on: it finds the callers that `createKeyStore`
 * does, in concurrent lookups, for keys that expire, that are revoked and that are added while the store is in use.
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
  const declare = createDeclarer(options, (clock) => ({ clock }))

  declare('finds each caller exactly in concurrent lookups, and no other', (store, clock) =>
    lookUpMany(store, clock, options),
  )
  declare(
    'finds each key, at most 5 s late, until it expires or is revoked',
    (store, clock) => changeAtRandom(store, clock, options),
    options.clock === false && 'options.clock is false',
  )
}

const createRecord = (token: string, caller: Caller, now: number): KeyRecord => ({
  ...caller,
  sha256: sha256(token),
  createdAt: toIsoTime(now),
})
const shelter: Caller = { id: 'shelter', plan: 'pro' }
const large: Caller = { id: 'large', plan: 'enterprise', limits: { minute: 7, day: 70 } }

/** Keys of one store, and the callers that they must lead to. */
const callers: Readonly<Record<string, Caller>> = {
  'My-first-long-api-key=': { id: 'free', plan: 'free' },
  'old-key': large,
  'new-key': large,
  'key-2': { ...large, id: `O'Neill "x" \\ %_`, limits: { minute: 4_999, day: 1_000_001 } },
  'key-3': { ...large, id: 'a'.repeat(500), limits: { minute: 100_000_000, day: 100_000_000 } },
  '-._~+/09azAZ': { ...shelter, id: ' ' },
  '7==': { id: '007', plan: 'business' },
  ['k'.repeat(8_000)]: { ...shelter, id: 'shelter\u00e9\u{1f415}' },
}

/** Maximum time until a store shows a change, in milliseconds. */
const showsWithinMs = 5_000

async function lookUpMany<Store extends KeyStore>(
  store: Store,
  clock: CaseClock,
  { addKey }: KeyStoreContractOptions<Store>,
): Promise<void> {
  const tokens = Object.keys(callers)
  const keys = Object.entries(callers).map(([token, caller]) => createRecord(token, caller, clock.now()))
  for (const key of keys) await addKey(store, key)
  const [token = ''] = tokens
  const shorter = token.slice(0, -1)
  const near = [sha256(token), token.toLowerCase(), shorter, `${shorter}x`, `${token}=`, ` ${token}`, '%']
  const unknown = Array.from({ length: 2_000 }, (_, i) => `unknown-${i}`)
  const reference = createKeyStore(keys, { clock: clock.now })
  await compare(store, reference, [...tokens, ...near, ...tokens, ...unknown, ...tokens])
  await compare(store, reference, tokens)
}

/** Adds keys, revokes them and lets them expire, whether they were looked up before or not. */
async function changeAtRandom<Store extends KeyStore>(
  store: Store,
  clock: CaseClock,
  { addKey, revokeKey }: KeyStoreContractOptions<Store>,
): Promise<void> {
  const random = createRandom(0)
  const keys: KeyRecord[] = []
  /** The last one is looked up before its key is added. */
  const tokens = () => Array.from({ length: keys.length + 1 }, (_, i) => `key-${i}`)
  for (let step = 0; step < 60; step++) {
    const place = random.whole(0, keys.length)
    const [now, old] = [clock.now(), keys[place]]
    if (old && random.pick([true, false])) {
      keys[place] = { ...old, revokedAt: toIsoTime(now) }
      await revokeKey(store, old.sha256)
    } else {
      const expiresAt = toIsoTime(now + random.pick([-1, 1, 2 * showsWithinMs, 1_000 * showsWithinMs]))
      const key = { ...createRecord(`key-${keys.length}`, shelter, now), ...random.pick([{}, { expiresAt }]) }
      keys.push(key)
      await addKey(store, key)
    }
    // A look-up does not extend the five seconds.
    if (random.pick([true, false])) await Promise.all(tokens().map((token) => store.find(token)))
    clock.advance(showsWithinMs)
    const reference = createKeyStore(keys, { clock: clock.now })
    await compare(store, reference, tokens())
    const untilExpiry = Date.parse(keys[place]?.expiresAt ?? '') - clock.now()
    for (const ms of untilExpiry > 0 ? [untilExpiry - 1, 1] : []) {
      clock.advance(ms)
      await compare(store, reference, tokens())
    }
  }
}

/** Looks tokens up concurrently, and compares the callers with those in the memory store. */
async function compare(store: KeyStore, reference: KeyStore, tokens: readonly string[]): Promise<void> {
  const found = await Promise.all(tokens.map((token) => store.find(token)))
  for (const [i, token] of tokens.entries())
    assert.deepEqual(withLimits(found[i]), withLimits(await reference.find(token)), `the caller of ${token}`)
}

/** Returns a caller with its limits: its own ones, or the limits of its plan. */
function withLimits(caller: Caller | undefined): object | undefined {
  if (!caller) return undefined
  const { id, plan, limits = plan === 'enterprise' ? undefined : plans[plan] } = caller
  return { id, plan, minute: limits?.minute, day: limits?.day }
}
