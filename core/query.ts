import { ApiError } from './errors.ts'
import { int64OfDecimal } from './int64.ts'
import { isPetStatus, petStatuses } from './pet.ts'
import type { PetQuery } from './store.ts'

/** The bounds of `limit` (spec 4.1). */
export const pageLimit = { minimum: 1, maximum: 100, default: 20 } as const

/** How many parameters a query may have: the pieces between its ampersands, empty ones too. */
const maxParameters = 100

/** How many problems are looked for. The rest of the query is not read. */
const maxProblems = 10

type Wanted = { -readonly [Member in keyof PetQuery]: PetQuery[Member] }

/** A parameter of listPets. */
interface Parameter {
  /** What it must be, in words for the caller. */
  readonly rule: string
  /** Notes a value; false where it is invalid. */
  read(value: string, wanted: Wanted): boolean
}

const parameters: ReadonlyMap<string, Parameter> = new Map([
  [
    'limit',
    { rule: `must be a whole number from ${pageLimit.minimum} to ${pageLimit.maximum}`, read: readLimit },
  ],
  ['status', { rule: `must be one of ${petStatuses.join(', ')}`, read: readStatus }],
  ['after', { rule: 'must be the id of an animal, in decimal', read: readAfter }],
])

/**
 * Reads the query of listPets (spec 4.1). Unknown parameters are ignored. Invalid, repeated or badly escaped ones are a
 * ApiError that names the first ten at the most; more than 100 parameters are a ApiError too.
 */
export function readPetQuery(query: string | undefined): PetQuery | ApiError {
  const wanted: Wanted = { limit: pageLimit.default }
  if (!query) return wanted
  const pairs = query.split('&', maxParameters + 1)
  if (pairs.length > maxParameters)
    return new ApiError('invalid_parameter', `Send at most ${maxParameters} query parameters.`)
  const seen: Parameter[] = []
  const problems: string[] = []
  for (const pair of pairs) {
    if (problems.length === maxProblems) break
    const equals = pair.indexOf('=')
    const rawName = equals < 0 ? pair : pair.slice(0, equals)
    const name = decode(rawName)
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1))
    if (name === undefined || value === undefined) {
      problems.push(`"${shorten(rawName)}" has a malformed percent escape`)
      continue
    }
    const parameter = parameters.get(name)
    if (!parameter) continue
    if (seen.includes(parameter)) problems.push(`"${name}" is given more than once`)
    else if (!parameter.read(value, wanted)) problems.push(`"${name}" ${parameter.rule}`)
    seen.push(parameter)
  }
  if (problems.length === 0) return wanted
  return new ApiError('invalid_parameter', `Change the query: ${[...new Set(problems)].join('; ')}.`)
}

function readLimit(value: string, wanted: Wanted): boolean {
  if (!/^[1-9]\d{0,2}$/.test(value)) return false
  wanted.limit = Number(value)
  return wanted.limit >= pageLimit.minimum && wanted.limit <= pageLimit.maximum
}

function readStatus(value: string, wanted: Wanted): boolean {
  if (!isPetStatus(value)) return false
  wanted.status = value
  return true
}

function readAfter(value: string, wanted: Wanted): boolean {
  const after = int64OfDecimal(value)
  if (after === undefined) return false
  wanted.after = after
  return true
}

/** Percent-decodes, `+` a space; undefined where an escape is malformed or yields no UTF-8. */
function decode(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** Keeps a stranger's text from filling a message. */
function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
