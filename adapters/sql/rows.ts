import type { CreateOnceResult, CreationKey, NewPet, Pet, PetStatus } from '../../core/index.ts'

/** An animal as a row of a table. Its int64 are text, which every driver returns exactly. */
export interface PetRow {
  readonly id: string
  readonly name: string
  readonly categoryId: string
  /** Null for none. */
  readonly status: PetStatus | null
}

/** Returns the animal of a row. Throws a `SyntaxError` if an id is not a whole number. */
export function petOfRow({ id, name, categoryId, status }: PetRow): Pet {
  const pet = { id: BigInt(id), name, categoryId: BigInt(categoryId) }
  return status === null ? pet : { ...pet, status }
}

/** Returns the values to insert for an animal: its name, category and status. */
export function rowValues({ name, categoryId, status }: NewPet): [string, string, PetStatus | null] {
  return [name, String(categoryId), status ?? null]
}

/** A creation with a key, as a row of a table. */
export interface CreationRow {
  /** The id of the animal, as text. */
  readonly id: string
  readonly fingerprint: string
}

/**
 * How many expired keys each creation with a key removes at most. So what is stored is bounded by one lifetime of keys.
 */
export const expiredAtOnce = 10

/** Returns what an earlier creation with the token of a key means for it. */
export function resultOfRow(row: CreationRow, { fingerprint }: CreationKey): CreateOnceResult {
  return row.fingerprint === fingerprint ? { outcome: 'replayed', id: BigInt(row.id) } : { outcome: 'reused' }
}
