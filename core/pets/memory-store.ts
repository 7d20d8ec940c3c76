import { createCreationKeys } from './creation-keys.ts'
import type { NewPet, Pet } from './pet.ts'
import { createPetTable, frozenPet } from './pet-table.ts'
import type { CreateOnceResult, CreationKey, PetChanges, PetQuery, PetStore } from './store.ts'

/** A store that returns its results without a promise. */
export interface MemoryStore extends PetStore {
  create(pet: NewPet): Pet
  get(id: bigint): Pet | undefined
  list(query: PetQuery): readonly Pet[]
  createOnce(pet: NewPet, key: CreationKey): CreateOnceResult
  findCreated(key: CreationKey): CreateOnceResult | undefined
  update(id: bigint, changes: PetChanges): Pet | undefined
  remove(id: bigint): boolean
}

/**
 * Creates a store in memory. Its animals are lost when the process ends. They are frozen, because they are not copied.
 *
 * @example
 * import { createMemoryStore } from 'pet-adoption-service'
 *
 * const store = createMemoryStore()
 * store.create({ name: 'Mia', categoryId: 3n, status: 'available' }).id // 1n
 * store.update(1n, { status: 'sold' })?.status // 'sold'
 */
export function createMemoryStore(): MemoryStore {
  const table = createPetTable()
  const keys = createCreationKeys()

  return {
    create: table.add,
    get: table.get,
    list: ({ limit, status, after = 0n }) => table.page(status, after, limit),
    createOnce(pet, key) {
      const earlier = keys.find(key)
      if (earlier) return earlier
      const { id } = table.add(pet)
      keys.add(key, id)
      return { outcome: 'created', id }
    },
    findCreated: keys.find,
    update(id, changes) {
      const before = table.get(id)
      if (!before) return undefined
      const { name = before.name, categoryId = before.categoryId, status = before.status } = changes
      const pet = frozenPet(id, name, categoryId, status)
      table.replace(before, pet)
      return pet
    },
    remove(id) {
      const pet = table.get(id)
      if (pet) table.replace(pet, undefined)
      return pet !== undefined
    },
  }
}
