import { createPageCache, type PageCache } from './page-cache.ts'
import { type NewPet, type Pet, type PetStatus, petStatuses } from './pet.ts'
import type { PetQuery, PetStore } from './store.ts'

/** A store that returns its results without a promise. */
export interface MemoryStore extends PetStore {
  create(pet: NewPet): Pet
  get(id: bigint): Pet | undefined
  list(query: PetQuery): readonly Pet[]
}

/** A list by ascending id. Animals are only added at its end. */
interface Shelf {
  readonly pets: Pet[]
  readonly pages: PageCache
}

/** More than the length of any page: an index and a length make one number. */
const maxPageLength = 128

const createShelf = (): Shelf => ({ pets: [], pages: createPageCache() })

/**
 * Creates a store in memory. Its animals are lost when the process ends. They are frozen, because they are not copied.
 *
 * @example
 * import { createMemoryStore } from 'pet-adoption-service'
 *
 * const store = createMemoryStore()
 * store.create({ name: 'Mia', categoryId: 3n, status: 'available' }).id // 1n
 */
export function createMemoryStore(): MemoryStore {
  const all = createShelf()
  const byStatus = new Map<PetStatus, Shelf>(petStatuses.map((status) => [status, createShelf()]))

  return {
    create({ name, categoryId, status }) {
      const id = BigInt(all.pets.length + 1)
      const pet = Object.freeze(status ? { id, name, categoryId, status } : { id, name, categoryId })
      all.pets.push(pet)
      if (status) byStatus.get(status)?.pets.push(pet)
      return pet
    },
    get(id) {
      return id >= 1n && id <= all.pets.length ? all.pets[Number(id) - 1] : undefined
    },
    list({ limit, status, after }) {
      const shelf = status ? byStatus.get(status) : all
      return shelf ? page(shelf, after === undefined ? 0 : firstAfter(shelf.pets, after), limit) : []
    },
  }
}

function page({ pets, pages }: Shelf, start: number, limit: number): readonly Pet[] {
  const read = () => pets.slice(start, start + limit)
  return limit < maxPageLength ? pages.page(start * maxPageLength + limit, limit, read) : read()
}

/** Returns the index of the first animal with a greater id, in a list by ascending id. */
function firstAfter(pets: readonly Pet[], id: bigint): number {
  let low = 0
  let high = pets.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const pet = pets[middle]
    if (pet && pet.id <= id) low = middle + 1
    else high = middle
  }
  return low
}
