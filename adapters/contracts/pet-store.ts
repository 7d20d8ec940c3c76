import type { MaybePromise, PetStore } from '../../core/index.ts'
import { animals, assertListed, createAll, readPages } from './pet-store/cases.ts'
import { creatingCases } from './pet-store/creating.ts'
import { readingCases } from './pet-store/reading.ts'
import { scaleCase, togetherCases } from './pet-store/together.ts'
import { type ContractCase, declareCases, type TestFunction } from './runner.ts'

/** How `petStoreContract` is set up. */
export interface PetStoreContractOptions<Store extends PetStore = PetStore> {
  /** The `test` of the test runner. */
  readonly test: TestFunction
  /** Creates a store without animals. Called once for each case. */
  readonly createStore: () => MaybePromise<Store>
  /** Called when a case is over, whether it passed or failed. */
  readonly closeStore?: (store: Store) => MaybePromise<void>
  /** Opens the animals of a store a second time, as a restart would. Without it, that case is skipped. */
  readonly reopenStore?: (store: Store) => MaybePromise<Store>
  /** How many animals the case at scale creates: a whole number from 0; 2,000 by default. 0 skips the case. */
  readonly scale?: number
}

/**
 * Declares a test for each rule of a `PetStore` on which the service relies: int64 and names stored exactly, each id
 * assigned once, order, pages and filters; alone, and while other animals are created.
 *
 * @example
 * import { test } from 'node:test'
 * import { createMemoryStore } from 'pet-adoption-service'
 * import { petStoreContract } from 'pet-adoption-service/contracts'
 *
 * petStoreContract({ test, createStore: createMemoryStore })
 */
export function petStoreContract<Store extends PetStore>(options: PetStoreContractOptions<Store>): void {
  const { test, createStore, closeStore, reopenStore, scale = 2000 } = options

  async function use(work: (store: Store) => Promise<void>, store: Store): Promise<void> {
    try {
      await work(store)
    } finally {
      await closeStore?.(store)
    }
  }

  const reopening: ContractCase<Store> = {
    name: 'still has every animal when it is opened again, and uses no id twice',
    skipped: !reopenStore && 'no options.reopenStore',
    async run(first) {
      const before = await createAll(first, animals(10))
      const reopened = (await reopenStore?.(first)) ?? first
      await use(async (second) => {
        assertListed(await readPages(second, { limit: 20 }), before)
        const after = await createAll(second, animals(10))
        assertListed(await readPages(second, { limit: 20 }), [...before, ...after])
      }, reopened)
    },
  }

  declareCases(
    test,
    [...creatingCases, ...readingCases, ...togetherCases, scaleCase(scale), reopening],
    async (work) => use(work, await createStore()),
  )
}
