import type { NewPet, Pet, PetStatus } from './pet.ts'

/** An animal as a table keeps it. Its int64 are text, which every driver hands over exactly. */
export interface PetRow {
  readonly id: string
  readonly name: string
  readonly categoryId: string
  /** Null for none. */
  readonly status: PetStatus | null
}

/** The animal that a row keeps. Throws a `SyntaxError` where an id is no whole number. */
export function petOfRow({ id, name, categoryId, status }: PetRow): Pet {
  const pet = { id: BigInt(id), name, categoryId: BigInt(categoryId) }
  return status === null ? pet : { ...pet, status }
}

/** What an animal is inserted with: its name, category and status. */
export function rowValues({ name, categoryId, status }: NewPet): [string, string, PetStatus | null] {
  return [name, String(categoryId), status ?? null]
}
