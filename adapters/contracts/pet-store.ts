import type { MaybePromise, PetStore } from '../../core/index.ts'
import { callConcurrently } from './pet-store/concurrent-calls.ts'
import { createComparer } from './pet-store/model.ts'
import { type ContractOptions, createCaseDeclarer } from './runner.ts'

/** Options for {@link petStoreContract}. */
export interface PetStoreContractOptions<Store extends PetStore = PetStore> extends ContractOptions<Store> {
  /** Opens the same data again, as after a restart. A test is skipped without this option. */
  readonly reopen?: (store: Store) => MaybePromise<Store>
  /**
   * Whether idempotency keys expire by the times that are passed to the store. Pass `false` if the store uses its own
   * clock, for example in a database that servers share. No idempotency key expires in the tests then.
   *
   * @default true
   */
  readonly clock?: boolean
}

/**
 * Declares tests for a `PetStore` implementation. They make random calls, one at a time and concurrently, and compare
 * the store with `createMemoryStore`. Optional methods are tested if the store has them.
 *
 * The tests cover every rule that the service relies on: int64s and names are stored exactly, each id is assigned once,
 * and pages are ordered and filtered. A failed test lists the calls that caused it.
 *
 * @example
 * import { test } from 'node:test'
 * import { createMemoryStore } from 'pet-adoption-service'
 * import { petStoreContract } from 'pet-adoption-service/contracts'
 *
 * petStoreContract({ test, create: createMemoryStore })
 */
export function petStoreContract<Store extends PetStore>(options: PetStoreContractOptions<Store>): void {
  const { reopen, close, clock = true } = options
  const declareCase = createCaseDeclarer(options, () => undefined)

  declareCase('returns the same results as createMemoryStore for random calls', (store) =>
    createComparer(0, clock)(store, 3_000),
  )
  declareCase(
    'returns the same results as createMemoryStore after the store is reopened',
    async (store) => {
      const compareCalls = createComparer(1, clock)
      await compareCalls(store, 500)
      const reopenedStore = (await reopen?.(store)) ?? store
      try {
        await compareCalls(reopenedStore, 500)
      } finally {
        await close?.(reopenedStore)
      }
    },
    !reopen && 'options.reopen is missing',
  )
  declareCase('keeps each animal consistent under concurrent calls', callConcurrently)
}
