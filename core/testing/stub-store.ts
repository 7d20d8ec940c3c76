import type { PetStore } from '../pets/store.ts'

/** Creates a store that has no animals and stores none, but for the methods that a test gives. */
export function stubStore(overrides: Partial<PetStore> = {}): PetStore {
  return {
    create() {
      throw new Error('this test stores no animal')
    },
    get: () => undefined,
    list: () => [],
    ...overrides,
  }
}
