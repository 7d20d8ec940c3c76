import type { KeyRecord, KeyStore, MaybePromise } from '../../core/index.ts'
import { createKeyBench } from './key-store/cases.ts'
import { changingCases } from './key-store/changing.ts'
import { findingCases } from './key-store/finding.ts'
import { createCaseClock } from './rate-limiter/cases.ts'
import { declareCases, type TestFunction } from './runner.ts'

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

  for (const { needs = [], ...one } of [...findingCases, ...changingCases]) {
    const skipped =
      (needs.includes('revokeKey') && !revokeKey && 'no options.revokeKey') ||
      (needs.includes('clock') && capabilities.clock === false && 'options.capabilities.clock is false')
    declareCases(test, [{ ...one, skipped }], async (work) => {
      const clock = createCaseClock()
      const store = await createStore({ clock: clock.now })
      try {
        await work(createKeyBench(store, clock, { addKey, revokeKey }))
      } finally {
        await closeStore?.(store)
      }
    })
  }
}
