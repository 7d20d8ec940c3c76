import { parseJsonInt64 } from '../base/int64.ts'
import { isObject, type JsonDocument, parseJson } from '../base/json.ts'
import { ApiError } from '../http/errors.ts'
import { isPetStatus, type NewPet, type PetStatus, petStatuses } from './pet.ts'

/** Default maximum length of a name, in characters. */
export const defaultMaxNameLength = 1_000

/**
 * Validates the body of createPet (spec 2, 4.2). Unknown members are ignored. The error names every member that is
 * missing or invalid. A name has at most `maxNameLength` characters (code points); null for any number. Without a
 * status, the animal has `defaultStatus`; null, the default, for none.
 */
export function readNewPet(
  { value, numberText }: JsonDocument,
  maxNameLength: number | null,
  defaultStatus: PetStatus | null = null,
): NewPet | ApiError {
  if (!isObject(value)) return invalidPet(['it must be an object with "name" and "categoryId"'])
  const { name, categoryId, status = defaultStatus ?? undefined } = value
  const problems: string[] = []
  const number = numberText('categoryId')
  const category = number === undefined ? undefined : parseJsonInt64(number)

  const nameProblem = findNameProblem(name, maxNameLength)
  if (nameProblem) problems.push(`"name" ${nameProblem}`)

  if (categoryId === undefined) problems.push('"categoryId" is required')
  else if (category === undefined)
    problems.push(`"categoryId" must be an integer from ${-(2n ** 63n)} to ${2n ** 63n - 1n}`)

  if (status !== undefined && !isPetStatus(status))
    problems.push(`"status" must be one of ${petStatuses.join(', ')}`)

  if (problems.length > 0 || typeof name !== 'string' || category === undefined) return invalidPet(problems)
  return isPetStatus(status) ? { name, categoryId: category, status } : { name, categoryId: category }
}

/**
 * Parses and validates the body of createPet.
 *
 * @param bytes A JSON document in UTF-8.
 * @param maxNameLength How many characters (code points) a name may have, from 1; 1,000 by default, null for any
 * number.
 * @returns The animal to add; or the error of the response, which names every member that is missing or invalid.
 * @example
 * import { ApiError, parseNewPet } from 'pet-adoption-service'
 *
 * const pet = parseNewPet(new TextEncoder().encode('{"name":"Mia","categoryId":3}'))
 * if (!(pet instanceof ApiError)) console.log(pet.categoryId) // 3n
 */
export function parseNewPet(
  bytes: Uint8Array,
  maxNameLength: number | null = defaultMaxNameLength,
): NewPet | ApiError {
  const document = parseJson(bytes)
  return document ? readNewPet(document, maxNameLength) : new ApiError('invalid_json')
}

/** Returns the error for a body that is not a valid NewPet, with its problems. */
export function invalidPet(problems: readonly string[]): ApiError {
  return new ApiError('invalid_pet', `The body is not a valid NewPet: ${problems.join('; ')}.`)
}

/** Returns the problem of a name as a phrase such as `is required`; undefined if it is valid. */
export function findNameProblem(name: unknown, maxNameLength: number | null): string | undefined {
  if (name === undefined) return 'is required'
  if (typeof name !== 'string') return 'must be a string'
  // PostgreSQL rejects U+0000, and UTF-8 cannot encode a lone surrogate.
  if (!name.isWellFormed() || name.includes('\0')) return 'must be well-formed Unicode without U+0000'
  if (maxNameLength === null || name.length <= maxNameLength) return undefined
  // A code point has one or two UTF-16 code units, so few names must be counted.
  const isLonger = name.length > 2 * maxNameLength || [...name].length > maxNameLength
  return isLonger ? `must be at most ${maxNameLength} characters` : undefined
}
