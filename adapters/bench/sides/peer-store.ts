import { type Animal, animals, type NewAnimal, type Status, statuses } from '../world.ts'

/** What the peers keep their animals in: arrays, as ours does. */
const pets = animals()
const byStatus = new Map<Status, Animal[]>(
  statuses.map((status) => [status, pets.filter((pet) => pet.status === status)]),
)

export interface PageQuery {
  readonly limit: number
  readonly status?: Status | undefined
}

export function list({ limit, status }: PageQuery): { page: readonly Animal[]; more: boolean } {
  const matching = status ? (byStatus.get(status) ?? []) : pets
  return { page: matching.slice(0, limit), more: matching.length > limit }
}

export function get(id: number): Animal | undefined {
  return pets[id - 1]
}

export function create({ name, categoryId, status = 'available' }: Partial<NewAnimal>): Animal {
  const pet = { id: pets.length + 1, name: name ?? '', categoryId: categoryId ?? 0, status }
  pets.push(pet)
  byStatus.get(status)?.push(pet)
  return pet
}
