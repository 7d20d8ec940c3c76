import type { NewPet, Pet } from '../../core/index.ts'

/** Methods of a store that return promises. */
export type Promised<Store, Names extends keyof Store> = {
  [Name in Names]-?: Store[Name] extends ((...values: infer Values) => infer Result) | undefined
    ? (...values: Values) => Promise<Awaited<Result>>
    : never
}

/** Methods of a store that return at once. */
export type Immediate<Store, Names extends keyof Store> = {
  [Name in Names]-?: Store[Name] extends ((...values: infer Values) => infer Result) | undefined
    ? (...values: Values) => Awaited<Result>
    : never
}

/** Stores and returns many animals at once, which come one by one and are not held in memory. */
export interface Transfer {
  /**
   * Stores all of these animals, or none if one cannot be stored or `pets` throws. Returns how many they were. An
   * animal that has an id, from 1 to 2^53 − 1, is stored under it; another one gets the id after the highest at that
   * point. Later ids follow the highest.
   *
   * @throws {TypeError} An id is out of range.
   * @throws {Error} An id exists; the message names it.
   */
  importPets(pets: Iterable<NewPet | Pet> | AsyncIterable<NewPet | Pet>): Promise<number>
  /** Yields all animals by ascending id, as they are when it begins; holds at most 1,000 in memory. */
  exportPets(): AsyncIterable<Pet>
}

/** Returns what an import throws for an animal whose id exists already. */
export function existingId(id: bigint | string): Error {
  return new Error(`an animal with the id ${id} exists already`)
}
