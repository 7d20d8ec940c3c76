import { parseJsonInt64 } from '../base/int64.ts'
import { isObject, type JsonDocument, parseJson } from '../base/json.ts'
import { ApiError } from '../http/errors.ts'
import { isPetStatus, type NewPet, type PetStatus, petStatuses } from './pet.ts'

/** Default maximum name length, in characters (code points). */
export const defaultMaxNameLength = 1_000

/**
 * Validates a `createPet` body (spec 2, 4.2). Unknown members are ignored. The error names every invalid member.
 *
 * @param maxNameLength - Maximum length of a name in characters (code points), or `null` for no limit.
 * @param defaultStatus - Status if the body has no status, or `null` to leave it out.
 */
export function readNewPet(
  { value, getNumberText }: JsonDocument,
  maxNameLength: number | null,
  defaultStatus: PetStatus | null = null,
): NewPet | ApiError {
  if (!isObject(value)) return createInvalidPetError(['it must be an object with "name" and "categoryId"'])
  const { name, categoryId, status = defaultStatus ?? undefined } = value
  const problems: string[] = []
  const categoryText = getNumberText('categoryId')
  const category = categoryText === undefined ? undefined : parseJsonInt64(categoryText)

  const nameProblem = findNameProblem(name, maxNameLength)
  if (nameProblem) problems.push(`"name" ${nameProblem}`)

  if (categoryId === undefined) problems.push('"categoryId" is required')
  else if (category === undefined)
    problems.push(`"categoryId" must be an integer from ${-(2n ** 63n)} to ${2n ** 63n - 1n}`)

  if (status !== undefined && !isPetStatus(status))
    problems.push(`"status" must be one of ${petStatuses.join(', ')}`)

  if (problems.length > 0 || typeof name !== 'string' || category === undefined)
    return createInvalidPetError(problems)
  return isPetStatus(status) ? { name, categoryId: category, status } : { name, categoryId: category }
}

/**
 * Parses and validates a `createPet` body.
 *
 * @param bytes - A JSON document in UTF-8.
 * @param maxNameLength - Maximum length of a name in characters (code points), or `null` for no limit. 1,000 by
 * default.
 * @returns The animal to add, or an error response that names every missing or invalid member.
 *
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

/** Creates the 400 for a body that is not a valid NewPet. */
export function createInvalidPetError(problems: readonly string[]): ApiError {
  return new ApiError('invalid_pet', `The body is not a valid NewPet: ${problems.join('; ')}.`)
}

/** Returns what is wrong with a name, such as `is required`, or `undefined` if it is valid. */
export function findNameProblem(name: unknown, maxNameLength: number | null): string | undefined {
  if (name === undefined) return 'is required'
  if (typeof name !== 'string') return 'must be a string'
  // PostgreSQL rejects U+0000, and UTF-8 cannot encode a lone surrogate.
  if (!name.isWellFormed() || name.includes('\0')) return 'must be well-formed Unicode without U+0000'
  if (maxNameLength === null || name.length <= maxNameLength) return undefined
  // A character has at most two UTF-16 code units, so most names need no exact count.
  const isLonger = name.length > 2 * maxNameLength || [...name].length > maxNameLength
  return isLonger ? `must be at most ${maxNameLength} characters` : undefined
}
