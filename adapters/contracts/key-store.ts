import assert from 'node:assert/strict'
import {
  type Caller,
  type KeyRecord,
  type KeyStore,
  type MaybePromise,
  plans,
  sha256,
} from '../../core/index.ts'
import { type CaseClock, createCaseClock } from './case-clock.ts'
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
 * Declares a test for each rule of a `KeyStore` on which the service relies: each key leads to its caller and no other token
 * does, alone and among many lookups at once; keys that expire, that are revoked and that are added while the store is in use.
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
            async add(token, more) {
              const createdAt = new Date(clock.now()).toISOString()
              await addKey(store, { id: 'shelter', plan: 'pro', sha256: sha256(token), createdAt, ...more })
            },
            revoke: async (token) => revokeKey?.(store, sha256(token)),
            find: async (token) => store.find(token),
          }),
      )
    },
  )
}

/** A key store under test. */
interface KeyBench {
  readonly clock: CaseClock
  /** Adds the key `token`: of the id `shelter` and the plan `pro`, unless `more` has others. */
  add(token: string, more?: Partial<KeyRecord>): Promise<void>
  revoke(token: string): Promise<void>
  find(token: string): Promise<Caller | undefined>
}

interface KeyStoreCase extends ContractCase<'clock' | 'revokeKey'> {
  run(bench: KeyBench): Promise<void>
}

const shelter: Caller = { id: 'shelter', plan: 'pro' }
const large = (minute: number, day: number): Caller => ({
  id: `large ${minute}`,
  plan: 'enterprise',
  limits: { minute, day },
})

/** How long a store may take to show a change, in milliseconds. */
const showsWithinMs = 5_000
const hourMs = 3_600_000

/** Keys of one store, and the callers that they must lead to. */
const callers: Readonly<Record<string, Caller>> = {
  'key-of-free': { id: 'free', plan: 'free' },
  'key-of-business': { id: 'business', plan: 'business' },
  'key-1': large(1, 1),
  'key-2': large(4_999, 1_000_001),
  'key-3': large(100_000_000, 100_000_000),
  'old-key': large(7, 70),
  'new-key': large(7, 70),
  ...Object.fromEntries(
    [' ', '007', `O'Neill "x" \\ %_`, 'shelter\u00e9\u{1f415}', 'a'.repeat(500)].map((id, i) => [
      `key-of-id-${i}`,
      { ...shelter, id },
    ]),
  ),
  '-._~+/09azAZ': shelter,
  'base64==': shelter,
  '7': shelter,
  ['k'.repeat(8_000)]: shelter,
}

const keyStoreCases: readonly KeyStoreCase[] = [
  {
    name: 'finds the id, the plan and the limits of each key exactly, whatever the characters of id and token',
    async run({ add, find }) {
      for (const [token, caller] of Object.entries(callers)) await add(token, caller)
      for (const [token, caller] of Object.entries(callers)) assertCaller(await find(token), caller)
    },
  },
  {
    name: 'finds nothing for a token that is nearly a key',
    async run({ add, find }) {
      const token = 'My-first-long-api-key='
      await add(token)
      assertCaller(await find(token), shelter)
      const near = [sha256(token), token.toLowerCase(), token.slice(0, -1), `${token}=`, ` ${token}`, '%']
      const changed = Array.from(token, (_, i) => `${token.slice(0, i)}x${token.slice(i + 1)}`)
      for (const other of [...near, ...changed]) assert.equal(await find(other), undefined, other)
      assertCaller(await find(token), shelter)
    },
  },
  {
    name: 'finds each key among many tokens that are looked up at once, of which most are unknown',
    async run({ add, find }) {
      const ids = Array.from({ length: 20 }, (_, i) => `shelter-${i}`)
      for (const id of ids) await add(`key-of-${id}`, { id })
      for (let round = 0; round < 4; round++) {
        const lookups = Array.from({ length: 600 }, async (_, i) => {
          const id = ids[i % 60]
          const found = await find(id ? `key-of-${id}` : `unknown-${round}-${i}`)
          if (id) assertCaller(found, { ...shelter, id })
          else assert.equal(found, undefined)
        })
        await Promise.all(lookups)
      }
    },
  },
  {
    name: 'finds a key until the millisecond before it expires, whether it was looked up before or not',
    needs: ['clock'],
    async run({ add, find, clock }) {
      const expiresAt = new Date(clock.now() + hourMs).toISOString()
      for (const token of ['used-key', 'unused-key']) await add(token, { expiresAt })
      await add('past-key', { expiresAt: new Date(clock.now() - 1).toISOString() })
      await add('other-key')
      for (const passedMs of [0, hourMs - 1]) {
        clock.advance(passedMs)
        assertCaller(await find('used-key'), shelter)
        assert.equal(await find('past-key'), undefined)
      }
      clock.advance(1)
      for (const token of ['used-key', 'unused-key']) assert.equal(await find(token), undefined, token)
      assertCaller(await find('other-key'), shelter)
    },
  },
  {
    name: 'finds a key at the latest five seconds after it was added, even if it was looked up before',
    needs: ['clock'],
    async run({ add, find, clock }) {
      assert.equal(await find('new-key'), undefined)
      await add('new-key')
      clock.advance(showsWithinMs)
      assertCaller(await find('new-key'), shelter)
    },
  },
  {
    name: 'finds nothing for a key at the latest five seconds after it was revoked, and the other keys of its id',
    needs: ['clock', 'revokeKey'],
    async run({ add, find, revoke, clock }) {
      for (const token of ['leaked-key', 'other-key', 'unused-key']) await add(token)
      for (const token of ['leaked-key', 'other-key']) assertCaller(await find(token), shelter)
      for (const token of ['leaked-key', 'unused-key']) await revoke(token)
      await find('leaked-key') // a lookup does not extend the five seconds
      clock.advance(showsWithinMs)
      for (const token of ['leaked-key', 'unused-key']) assert.equal(await find(token), undefined, token)
      assertCaller(await find('other-key'), shelter)
    },
  },
]

/** Asserts that a caller was found, with these members, and with no limits but those of its plan. */
function assertCaller(found: Caller | undefined, expected: Caller): void {
  assert.ok(found, `no caller was found for a key of ${expected.id}`)
  assert.deepEqual({ id: found.id, plan: found.plan }, { id: expected.id, plan: expected.plan })
  const { minute, day } = expected.limits ?? limitsOfPlan(expected)
  const limits = found.limits ?? limitsOfPlan(found)
  assert.deepEqual({ minute: limits.minute, day: limits.day }, { minute, day })
}

function limitsOfPlan({ id, plan }: Caller): { readonly minute: number; readonly day: number } {
  assert.notEqual(plan, 'enterprise', `${id} has no limits`)
  return plan === 'enterprise' ? { minute: 0, day: 0 } : plans[plan]
}
