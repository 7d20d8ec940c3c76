import type { MaybePromise, PetStore } from '../../core/index.ts'
import { atOnceCases } from './pet-store/at-once.ts'
import { capabilitiesCase, type FullStore, type PetStoreCapabilities } from './pet-store/cases.ts'
import { modelCases } from './pet-store/model.ts'
import { declareCases, type TestFunction } from './runner.ts'

/** How `petStoreContract` is set up. */
export interface PetStoreContractOptions<Store extends PetStore = PetStore> {
  /** The `test` of the test runner. */
  readonly test: TestFunction
  /** Creates a store without animals. Called once for each case. */
  readonly createStore: () => MaybePromise<Store>
  /** Called when a case is over, whether it passed or failed. */
  readonly closeStore?: (store: Store) => MaybePromise<void>
  /** Which of the optional methods of a `PetStore` it has; none by default. The cases of the others are skipped. */
  readonly capabilities?: PetStoreCapabilities
  /** Opens the animals of a store a second time, as a restart would. Without it, the cases of a restart are skipped. */
  readonly reopenStore?: (store: Store) => MaybePromise<Store>
}

/**
 * Declares a test for each rule of a `PetStore` on which the service relies: int64 and names stored exactly, each id
 * assigned once, order, pages and filters; alone, and while other animals are created. With `capabilities`, also the
 * rules of the optional methods: pages as JSON, creations with a key, changes and removals.
 *
 * Most rules are those of `createMemoryStore`, with which random calls are compared. A case that fails lists the calls
 * that led to it.
 *
 * @example
 * import { test } from 'node:test'
 * import { createMemoryStore } from 'pet-adoption-service'
 * import { petStoreContract } from 'pet-adoption-service/contracts'
 *
 * petStoreContract({
 *   test,
 *   createStore: createMemoryStore,
 *   capabilities: { page: true, createOnce: true, update: true, remove: true },
 * })
 */
export function petStoreContract<Store extends PetStore>(options: PetStoreContractOptions<Store>): void {
  const { test, createStore, closeStore, reopenStore, capabilities = {} } = options
  // A case calls only the methods that it needs, and is skipped where one is missing.
  const full = (store: PetStore) => store as FullStore

  declareCases({
    test,
    cases: [capabilitiesCase(capabilities), ...modelCases, ...atOnceCases],
    missing: (need: keyof PetStoreCapabilities | 'reopenStore') =>
      need === 'reopenStore'
        ? !reopenStore && 'no options.reopenStore'
        : !capabilities[need] && `no options.capabilities.${need}`,
    async open() {
      const store = await createStore()
      const opened = [store]
      async function reopen(): Promise<FullStore> {
        const second = (await reopenStore?.(store)) ?? store
        opened.unshift(second)
        return full(second)
      }
      return { store: full(store), reopen, opened }
    },
    async close({ opened }) {
      for (const store of opened) await closeStore?.(store)
    },
  })
}
