import type { MaybePromise, PetStore } from '../../core/index.ts'
import { atOnceCases, scaleCase } from './pet-store/at-once.ts'
import {
  capabilitiesCase,
  caseFor,
  type FullStore,
  type PetStoreCapabilities,
  skipReason,
} from './pet-store/capabilities.ts'
import { creatingCases } from './pet-store/creating.ts'
import { creatingOnceCases } from './pet-store/creating-once.ts'
import { modelCases } from './pet-store/model.ts'
import { pagingCases } from './pet-store/paging.ts'
import { readingCases } from './pet-store/reading.ts'
import { removingCases } from './pet-store/removing.ts'
import { type ReopeningCase, reopeningCases } from './pet-store/reopening.ts'
import { updatingCases } from './pet-store/updating.ts'
import { type ContractCase, declareCases, type TestFunction } from './runner.ts'

/** How `petStoreContract` is set up. */
export interface PetStoreContractOptions<Store extends PetStore = PetStore> {
  /** The `test` of the test runner. */
  readonly test: TestFunction
  /** Creates a store without animals. Called once for each case. */
  readonly createStore: () => MaybePromise<Store>
  /** Called when a case is over, whether it passed or failed. */
  readonly closeStore?: (store: Store) => MaybePromise<void>
  /** Which of the optional methods of a `PetStore` the store has; none by default. The cases of the others are skipped. */
  readonly capabilities?: PetStoreCapabilities
  /** Opens the animals of a store a second time, as a restart would. Without it, the cases of a restart are skipped. */
  readonly reopenStore?: (store: Store) => MaybePromise<Store>
  /** How many animals the case at scale creates: a whole number from 0; 2,000 by default. 0 skips the case. */
  readonly scale?: number
}

/**
 * Declares a test for each rule of a `PetStore` on which the service relies: int64 and names stored exactly, each id
 * assigned once, order, pages and filters; alone, and while other animals are created. With `capabilities`, also the rules
 * of the optional methods: pages as JSON, creations with a key, changes and removals.
 *
 * @example
 * import { test } from 'node:test'
 * import { createMemoryStore } from 'pet-adoption-service'
 * import { petStoreContract } from 'pet-adoption-service/contracts'
 *
 * petStoreContract({
 *   test,
 *   createStore: createMemoryStore,
 *   capabilities: { createOnce: true, update: true, remove: true },
 * })
 */
export function petStoreContract<Store extends PetStore>(options: PetStoreContractOptions<Store>): void {
  const { test, createStore, closeStore, reopenStore, capabilities = {}, scale = 2000 } = options

  async function use(work: (store: Store) => Promise<void>, store: Store): Promise<void> {
    try {
      await work(store)
    } finally {
      await closeStore?.(store)
    }
  }

  function reopening({ name, needs, run }: ReopeningCase): ContractCase<Store> {
    return {
      name,
      skipped: reopenStore ? skipReason(capabilities, needs) : 'no options.reopenStore',
      run: (first) =>
        // A store without the methods skips the case.
        run(first as PetStore as FullStore, async (work) => {
          const reopened = (await reopenStore?.(first)) ?? first
          await use((second) => work(second as PetStore as FullStore), reopened) // as above
        }),
    }
  }

  declareCases(
    test,
    [
      capabilitiesCase(capabilities),
      ...creatingCases,
      ...readingCases,
      ...atOnceCases,
      scaleCase(scale),
      ...[...pagingCases, ...creatingOnceCases, ...updatingCases, ...removingCases].map((one) =>
        caseFor(capabilities, one),
      ),
      ...modelCases,
      ...reopeningCases.map(reopening),
    ],
    async (work) => use(work, await createStore()),
  )
}
