import { type NewPet, type Pet, type PetStatus, petStatuses, RenderedPet } from './pet.ts'
import type { PetQuery, PetStore } from './store.ts'

export interface MemoryStore extends PetStore {
  create(pet: NewPet): Pet
  get(id: bigint): Pet | undefined
  list(query: PetQuery): readonly Pet[]
}

/** A store that forgets when the process ends. Its animals are shared, not copied: they cannot be changed. */
export function createMemoryStore(): MemoryStore {
  const pets: Pet[] = []
  const byStatus = new Map<PetStatus, Pet[]>(petStatuses.map((status) => [status, []]))

  return {
    create(newPet) {
      const pet = new RenderedPet(BigInt(pets.length + 1), newPet)
      pets.push(pet)
      if (pet.status) byStatus.get(pet.status)?.push(pet)
      return pet
    },
    get(id) {
      return id >= 1n && id <= pets.length ? pets[Number(id) - 1] : undefined
    },
    list({ limit, status, after }) {
      const matching = status ? (byStatus.get(status) ?? []) : pets
      const start = after === undefined ? 0 : firstAfter(matching, after)
      return matching.slice(start, start + limit)
    },
  }
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
