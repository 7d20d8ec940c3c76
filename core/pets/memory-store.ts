import { withoutUndefined } from '../base/option-names.ts'
import { createCreationKeys } from './creation-keys.ts'
import { createPageCache } from './page-cache.ts'
import type { NewPet, Pet } from './pet.ts'
import { createPetTable } from './pet-table.ts'
import type { CreateOnceResult, CreationKey, PetChanges, PetPage, PetQuery, PetStore } from './store.ts'

/** A store that returns its results without a promise. */
export interface MemoryStore extends PetStore {
  create(pet: NewPet): Pet
  get(id: bigint): Pet | undefined
  list(query: PetQuery): readonly Pet[]
  page(query: PetQuery): PetPage
  createOnce(pet: NewPet, key: CreationKey): CreateOnceResult
  findCreated(key: CreationKey): CreateOnceResult | undefined
  update(id: bigint, changes: PetChanges): Pet | undefined
  remove(id: bigint): boolean
}

/**
 * Creates a store in memory. Its animals are lost when the process ends. It returns copies of them.
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
  const pages = createPageCache()
  const keys = createCreationKeys()

  function replace(id: bigint, pet: NewPet | undefined): void {
    table.replace(id, pet)
    pages.clear()
  }

  return {
    create: table.add,
    get: table.get,
    list: table.list,
    page: (query) => pages.page(query, table.list),
    createOnce(pet, key) {
      const earlier = keys.find(key)
      if (earlier) return earlier
      const { id } = table.add(pet)
      keys.add(key, id)
      return { outcome: 'created', id }
    },
    findCreated: keys.find,
    update(id, changes) {
      const pet = table.get(id)
      if (pet) replace(id, { ...pet, ...(withoutUndefined(changes) as Partial<NewPet>) }) // the table leaves a status of null out
      return table.get(id)
    },
    remove(id) {
      if (!table.get(id)) return false
      replace(id, undefined)
      return true
    },
  }
}
