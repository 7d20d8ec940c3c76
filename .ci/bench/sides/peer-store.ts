import { nextStatus } from '../mix.ts'
import { makePets, type NewPet, type Pet, type Status, statuses } from '../world.ts'

/** The store of the other frameworks: arrays, as in the memory store of the package. */
const pets = makePets()
const byStatus = new Map<Status, Pet[]>(
  statuses.map((status) => [status, pets.filter((pet) => pet.status === status)]),
)

export interface PageQuery {
  readonly limit: number
  readonly status?: Status | undefined
  readonly after?: number | undefined
}

export function list({ limit, status, after = 0 }: PageQuery): { page: readonly Pet[]; more: boolean } {
  const matching = status ? (byStatus.get(status) ?? []) : pets
  const found = after === 0 ? 0 : matching.findIndex(({ id }) => id > after)
  const start = found < 0 ? matching.length : found
  return { page: matching.slice(start, start + limit), more: matching.length > start + limit }
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

/** Gives an animal the next status. */
export function change(id: number): void {
  const before = pets[id - 1]
  if (!before) return
  const pet = { ...before, status: nextStatus(before.status) }
  pets[id - 1] = pet
  const others = byStatus.get(before.status) ?? []
  const same = byStatus.get(pet.status) ?? []
  byStatus.set(
    before.status,
    others.filter((other) => other.id !== id),
  )
  byStatus.set(pet.status, [
    ...same.filter((other) => other.id < id),
    pet,
    ...same.filter((other) => other.id > id),
  ])
}
