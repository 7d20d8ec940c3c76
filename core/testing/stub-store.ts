import type { PetStore } from '../pets/store.ts'

/** Creates an empty store that stores nothing, except with the methods that a test gives. */
export function stubStore(overrides: Partial<PetStore> = {}): PetStore {
  return {
    create() {
      throw new Error('the store of this test cannot store animals')
    },
    get: () => undefined,
    list: () => [],
    ...overrides,
  }
}
