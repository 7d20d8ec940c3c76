import { type NewPet, type Pet, type PetStatus, petStatuses } from './pet.ts'
import type { PetQuery, PetStore } from './store.ts'

/** A store that answers at once. */
export interface MemoryStore extends PetStore {
  create(pet: NewPet): Pet
  get(id: bigint): Pet | undefined
  list(query: PetQuery): readonly Pet[]
}

/** A list that only grows at its end, by ascending id. */
interface Shelf {
  readonly pets: Pet[]
  /** Full pages, which never change, by where they start and how long they are. */
  readonly pages: Map<number, readonly Pet[]>
}

/** How many pages are kept of a shelf: with their JSON, a list of 100 is answered two times as fast. */
const maxPages = 64
const maxLimit = 128

/** A store that forgets when the process ends. Its animals are shared, not copied: they cannot be changed. */
export function createMemoryStore(): MemoryStore {
  const all: Shelf = { pets: [], pages: new Map() }
  const byStatus = new Map<PetStatus, Shelf>(
    petStatuses.map((status) => [status, { pets: [], pages: new Map() }]),
  )

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
  if (start + limit > pets.length || limit >= maxLimit) return pets.slice(start, start + limit)
  const key = start * maxLimit + limit
  const kept = pages.get(key)
  if (kept) return kept
  if (pages.size >= maxPages) pages.clear()
  const made = Object.freeze(pets.slice(start, start + limit))
  pages.set(key, made)
  return made
}

/** The index of the first animal with a greater id, in a list by ascending id. */
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
