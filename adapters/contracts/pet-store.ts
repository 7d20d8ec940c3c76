import type { MaybePromise, PetStore } from '../../core/index.ts'
import { animals, assertListed, createAll, readPages } from './pet-store/cases.ts'
import { creatingCases } from './pet-store/creating.ts'
import { readingCases } from './pet-store/reading.ts'
import { scaleCase, togetherCases } from './pet-store/together.ts'
import { type ContractCase, declareCases, type TestFunction } from './runner.ts'

/** Which store is tried, and with whose runner. */
export interface PetStoreContractOptions<Store extends PetStore = PetStore> {
  /** The runner's. */
  readonly test: TestFunction
  /** Makes a store without animals. Each case takes one of its own. */
  readonly createStore: () => MaybePromise<Store>
  /** Called when a case is over, however it ended. */
  readonly closeStore?: (store: Store) => MaybePromise<void>
  /** Makes a second store on what the first one keeps, as a restart would. Without it, that case is skipped. */
  readonly reopenStore?: (store: Store) => MaybePromise<Store>
  /** How many animals the case at scale creates; 2,000 by default; 0 skips it. */
  readonly scale?: number
}

/**
 * Declares a test for each thing that the service relies on in a `PetStore`: int64 and names kept exactly, ids assigned
 * once, order, pages and filters, alone and while others create.
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
