import { type KeyRecord, type KeyStore, type MaybePromise, sha256 } from '../../core/index.ts'
import { keyStoreCases } from './key-store/cases.ts'
import { createCaseClock } from './rate-limiter/cases.ts'
import { declareCases, type TestFunction, using } from './runner.ts'

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
