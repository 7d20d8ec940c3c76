import type { CreateOnceResult, CreationKey, NewPet, Pet, PetStatus } from '../../core/index.ts'

/** Methods of a store that return promises. */
export type Promised<Store, Names extends keyof Store> = {
  [Name in Names]-?: Store[Name] extends ((...values: infer Values) => infer Result) | undefined
    ? (...values: Values) => Promise<Awaited<Result>>
    : never
}

/** Methods of a store that return immediately. */
export type Immediate<Store, Names extends keyof Store> = {
  [Name in Names]-?: Store[Name] extends ((...values: infer Values) => infer Result) | undefined
    ? (...values: Values) => Awaited<Result>
    : never
}

/** Imports and exports animals one by one, without holding all of them in memory. */
export interface Transfer {
  /**
   * Stores all of these animals, or none if one cannot be stored or `pets` throws. Returns their number. An animal with
   * an id, from 1 to 2^53 − 1, is stored under it. Any other animal gets the id after the highest one at that point.
   * Later ids follow the highest one.
   *
   * @throws {TypeError} An id is out of range.
   * @throws {Error} An id exists; the message names it.
   */
  importPets(pets: Iterable<NewPet | Pet> | AsyncIterable<NewPet | Pet>): Promise<number>
  /** Yields all animals by ascending id, as they are when it begins; holds at most 1,000 in memory. */
  exportPets(): AsyncIterable<Pet>
}

/** The error of an import if the id of an animal exists already. */
export class ExistingId extends Error {
  readonly id: bigint

  constructor(id: bigint) {
    super(`an animal with the id ${id} exists already`)
    this.id = id
  }
}

/** An animal as a row of a table. Its int64 are text, which every driver returns exactly. */
export interface PetRow {
  readonly id: string
  readonly name: string
  readonly categoryId: string
  /** Null for none. */
  readonly status: PetStatus | null
}

/** Returns the animal of a row. Throws a `SyntaxError` if an id is not an integer. */
export function parsePetRow({ id, name, categoryId, status }: PetRow): Pet {
  const pet = { id: BigInt(id), name, categoryId: BigInt(categoryId) }
  return status === null ? pet : { ...pet, status }
}

/** Returns the values to insert for an animal: its name, category and status. */
export function toRowValues({ name, categoryId, status }: NewPet): [string, string, PetStatus | null] {
  return [name, String(categoryId), status ?? null]
}

/** A creation with an idempotency key, as a row of a table. */
export interface CreationRow {
  /** The id of the animal, as text. */
  readonly id: string
  readonly fingerprint: string
}

/**
 * Maximum number of expired idempotency keys that a creation removes. It is above 1, so the keys of at most one lifetime
 * are stored.
 */
export const expiredAtOnce = 10

/** Returns the result for an idempotency key whose token an earlier creation has. */
export function parseCreationRow(row: CreationRow, { fingerprint }: CreationKey): CreateOnceResult {
  return row.fingerprint === fingerprint ? { outcome: 'replayed', id: BigInt(row.id) } : { outcome: 'reused' }
}
