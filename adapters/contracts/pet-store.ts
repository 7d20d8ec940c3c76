import type { MaybePromise, PetStore } from '../../core/index.ts'
import { callAtOnce } from './pet-store/at-once.ts'
import { createComparison } from './pet-store/model.ts'
import { type ContractOptions, createDeclarer } from './runner.ts'

/** Options of `petStoreContract`. */
export interface PetStoreContractOptions<Store extends PetStore = PetStore> extends ContractOptions<Store> {
  /** Opens the animals of a store a second time, as a restart would. Without it, the case of a restart is skipped. */
  readonly reopen?: (store: Store) => MaybePromise<Store>
  /**
   * True if idempotency keys expire by the times of the calls, the default. A store with a clock of its own, such as a
   * database that servers share, passes false: then no idempotency key expires in the cases.
   */
  readonly clock?: boolean
}

/**
 * Declares a test for each rule of a `PetStore` that the service relies on: int64 and names stored exactly, each id
 * assigned once, order, pages and filters; with one call at a time, and with concurrent calls. Optional methods are
 * tested if the store has them: pages as JSON, creations with a key, changes and removals.
 *
 * Most cases make random calls and compare the store with `createMemoryStore`. A case that fails lists the calls that
 * led to it.
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
  const declare = createDeclarer(options, () => undefined)

  declare('agrees with createMemoryStore over random calls of its methods', (store) =>
    createComparison(0, clock)(store, 3_000),
  )
  declare(
    'agrees with createMemoryStore before and after it is opened again',
    async (store) => {
      const compare = createComparison(1, clock)
      await compare(store, 500)
      const second = (await reopen?.(store)) ?? store
      try {
        await compare(second, 500)
      } finally {
        await close?.(second)
      }
    },
    !reopen && 'no options.reopen',
  )
  declare('shows each animal as its calls left it, under concurrent calls', callAtOnce)
}
