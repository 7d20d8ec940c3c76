/**
 * The states of an animal (spec 2, 3).
 *
 * @example
 * import { petStatuses } from 'pet-adoption-service'
 *
 * petStatuses.join(', ') // 'available, pending, sold'
 */
export const petStatuses: readonly ['available', 'pending', 'sold'] = Object.freeze([
  'available',
  'pending',
  'sold',
] as const)

/** One of `petStatuses`. */
export type PetStatus = (typeof petStatuses)[number]

/** The data of an animal to create (spec 2). */
export interface NewPet {
  /** Well-formed Unicode without U+0000. */
  readonly name: string
  /** An int64. */
  readonly categoryId: bigint
  /** Absent for none. */
  readonly status?: PetStatus
}

/** An animal (spec 2). */
export interface Pet extends NewPet {
  /** An int64, assigned by the store: from 1 to 2^53 − 1. */
  readonly id: bigint
}

/**
 * Returns whether a value is one of `petStatuses`, in exactly that spelling.
 *
 * @example
 * import { isPetStatus } from 'pet-adoption-service'
 *
 * isPetStatus('sold') // true
 * isPetStatus('Sold') // false
 */
export function isPetStatus(value: unknown): value is PetStatus {
  return petStatuses.includes(value as PetStatus) // any value may be compared
}

/**
 * Returns an animal as JSON text with its exact int64, as responses contain it. A status of null, as databases return
 * it, is left out.
 *
 * @throws {TypeError} The value is not an animal.
 * @example
 * import { petToJson } from 'pet-adoption-service'
 *
 * petToJson({ id: 7n, name: 'Mia', categoryId: 3n }) // '{"id":7,"name":"Mia","categoryId":3}'
 */
export function petToJson({ id, name, categoryId, status }: Pet): string {
  if (
    typeof id !== 'bigint' ||
    typeof name !== 'string' ||
    typeof categoryId !== 'bigint' ||
    (status && !isPetStatus(status))
  )
    throw new TypeError('an animal must have a bigint id, a name, a bigint categoryId and no unknown status')
  const member = status ? `,"status":"${status}"` : ''
  return `{"id":${toExactNumber(id)},"name":${JSON.stringify(name)},"categoryId":${toExactNumber(categoryId)}${member}}`
}

/** Returns an integer as a number if that is exact (-8 % `core getPet` on Bun). */
export function toExactNumber(integer: bigint): number | bigint {
  const number = Number(integer)
  return Number.isSafeInteger(number) ? number : integer
}

/** Throws a `TypeError` unless a value can be the id of an imported animal: JavaScript clients read it exactly. */
export function requireImportableId(id: bigint): void {
  const most = Number.MAX_SAFE_INTEGER
  if (typeof id !== 'bigint' || id < 1n || id > most)
    throw new TypeError(`the id of an imported animal must be a bigint from 1 to ${most}, not ${id}`)
}
