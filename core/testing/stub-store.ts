import type { PetStore } from '../pets/store.ts'

/** Creates a store without animals. */
export function createStubStore(overrides: Partial<PetStore> = {}): PetStore {
  return {
    create() {
      throw new Error('this test store cannot add animals')
    },
    get: () => undefined,
    list: () => [],
    ...overrides,
  }
}
