import { ApiError } from './errors.ts'
import { int64Max, int64Min, int64OfJsonNumber } from './int64.ts'
import { type JsonDocument, parseJson } from './json.ts'
import { isObject } from './object.ts'
import { isPetStatus, type NewPet, petStatuses } from './pet.ts'

/** How many characters a name may have by default. */
export const defaultMaxNameLength = 1_000

/**
 * Validates the body of createPet (spec 2, 4.2). Unknown members are ignored. The ApiError names every member that is
 * missing or invalid. A name has at most `maxNameLength` characters (code points); null for any number.
 */
export function readNewPet(
  { value, numberText }: JsonDocument,
  maxNameLength: number | null,
): NewPet | ApiError {
  if (!isObject(value)) {
    return invalidPet(['it must be a JSON object with "name" and "categoryId"'])
  }
  const { name, categoryId, status } = value
  const problems: string[] = []
  const category =
    typeof categoryId === 'number' ? int64OfJsonNumber(numberText('categoryId') ?? '') : undefined

  if (name === undefined) problems.push('"name" is required')
  else if (typeof name !== 'string') problems.push('"name" must be a string')
  else if (!isKeepable(name)) problems.push('"name" must be well-formed Unicode without U+0000')
  else if (maxNameLength !== null && isLonger(name, maxNameLength))
    problems.push(`"name" must be at most ${maxNameLength} characters long`)

  if (categoryId === undefined) problems.push('"categoryId" is required')
  else if (typeof category !== 'bigint') {
    problems.push(
      category === 'range'
        ? `"categoryId" must be from ${int64Min} to ${int64Max}`
        : '"categoryId" must be an integer, as a JSON number',
    )
  }

  if (status !== undefined && !isPetStatus(status))
    problems.push(`"status" must be one of ${petStatuses.join(', ')}, or absent`)

  if (problems.length > 0 || typeof name !== 'string' || typeof category !== 'bigint')
    return invalidPet(problems)
  return isPetStatus(status) ? { name, categoryId: category, status } : { name, categoryId: category }
}

/**
 * Reads a NewPet out of the bytes of a JSON document, as createPet does; a ApiError says what is wrong with them.
 * `maxNameLength` is how many characters (code points) a name may have: 1,000 by default, null for any number.
 */
export function parseNewPet(
  bytes: Uint8Array,
  maxNameLength: number | null = defaultMaxNameLength,
): NewPet | ApiError {
  const document = parseJson(bytes)
  return document ? readNewPet(document, maxNameLength) : new ApiError('invalid_json')
}

/** The ApiError for a body that is no valid NewPet, with what is wrong with it. */
export function invalidPet(problems: readonly string[]): ApiError {
  return new ApiError('invalid_pet', `The body is not a valid NewPet: ${problems.join('; ')}.`)
}

/** Whether every store can keep a text: PostgreSQL takes no U+0000, and no encoding a lone surrogate. */
function isKeepable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** Whether a text has more code points than `most`. Each is one or two UTF-16 code units, so few texts have to be counted. */
function isLonger(text: string, most: number): boolean {
  if (text.length <= most) return false
  return text.length > 2 * most || [...text].length > most
}
