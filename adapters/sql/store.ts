import type { CreateOnceResult, CreationKey, NewPet, Pet, PetStatus } from '../../core/index.ts'

/** The given store methods, returning promises. */
export type Promised<Store, Names extends keyof Store> = {
  [Name in Names]-?: Store[Name] extends ((...values: infer Values) => infer Result) | undefined
    ? (...values: Values) => Promise<Awaited<Result>>
    : never
}

/** The given store methods, returning results immediately. */
export type Immediate<Store, Names extends keyof Store> = {
  [Name in Names]-?: Store[Name] extends ((...values: infer Values) => infer Result) | undefined
    ? (...values: Values) => Awaited<Result>
    : never
}

/** An animal as a row. Integers are decimal strings, which every driver returns exactly. */
export interface PetRow {
  readonly id: string
  readonly name: string
  readonly categoryId: string
  /** `null` if the animal has no status. */
  readonly status: PetStatus | null
}

/**
 * Parses a row into an animal.
 *
 * @throws {SyntaxError} If an id is not an integer.
 */
export function parsePetRow({ id, name, categoryId, status }: PetRow): Pet {
  const pet = { id: BigInt(id), name, categoryId: BigInt(categoryId) }
  return status === null ? pet : { ...pet, status }
}

/** Returns an animal's name, category and status as SQL parameters. */
export function toRowValues({ name, categoryId, status }: NewPet): [string, string, PetStatus | null] {
  return [name, String(categoryId), status ?? null]
}

/** The row that is stored for an idempotency key. */
export interface CreationRow {
  /** The created animal's id. */
  readonly id: string
  readonly fingerprint: string
}

/** How many expired idempotency keys a creation deletes at most. With more than 1, expired keys do not accumulate. */
export const maxExpiredPerCreation = 10

/** Returns `replayed` if the idempotency key belongs to the same request, or `reused` if it belongs to another one. */
export function parseCreationRow(row: CreationRow, { fingerprint }: CreationKey): CreateOnceResult {
  return row.fingerprint === fingerprint ? { outcome: 'replayed', id: BigInt(row.id) } : { outcome: 'reused' }
}
