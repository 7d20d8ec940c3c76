import { makePets, type NewPet, type Pet, type Status, statuses } from '../world.ts'

/** The store of the other frameworks: arrays, as in the memory store of the package. */
const pets = makePets()
const byStatus = new Map<Status, Pet[]>(
  statuses.map((status) => [status, pets.filter((pet) => pet.status === status)]),
)

export interface PageQuery {
  readonly limit: number
  readonly status?: Status | undefined
}

export function list({ limit, status }: PageQuery): { page: readonly Pet[]; more: boolean } {
  const matching = status ? (byStatus.get(status) ?? []) : pets
  return { page: matching.slice(0, limit), more: matching.length > limit }
}

export function get(id: number): Pet | undefined {
  return pets[id - 1]
}

export function create({ name, categoryId, status = 'available' }: Partial<NewPet>): Pet {
  const pet = { id: pets.length + 1, name: name ?? '', categoryId: categoryId ?? 0, status }
  pets.push(pet)
  byStatus.get(status)?.push(pet)
  return pet
}
