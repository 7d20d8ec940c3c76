import { ApiError } from './errors.ts'
import { int64OfDecimal } from './int64.ts'
import { isPetStatus, petStatuses } from './pet.ts'
import type { PetQuery } from './store.ts'

/** The bounds of `limit` (spec 4.1). */
export const pageLimit = { minimum: 1, maximum: 100, default: 20 } as const

/** The maximum number of parameters of a query: the pieces between its ampersands, including empty ones. */
const maxParameters = 100

/** The maximum number of problems that are reported. The rest of the query is not read. */
const maxProblems = 10

type MutableQuery = { -readonly [Member in keyof PetQuery]: PetQuery[Member] }

/** A parameter of listPets. */
interface Parameter {
  /** The rule for its value, in words for the client. */
  readonly rule: string
  /** Reads a value into the query; returns false if it is invalid. */
  read(value: string, result: MutableQuery): boolean
}

const parameters: ReadonlyMap<string, Parameter> = new Map([
  [
    'limit',
    { rule: `must be a whole number from ${pageLimit.minimum} to ${pageLimit.maximum}`, read: readLimit },
  ],
  ['status', { rule: `must be one of ${petStatuses.join(', ')}`, read: readStatus }],
  ['after', { rule: 'must be an id in decimal', read: readAfter }],
])

/**
 * Parses the query of listPets (spec 4.1). Unknown parameters are ignored. The error names the parameters that are invalid,
 * repeated or badly escaped, at most ten. More than 100 parameters are an error, too.
 */
export function readPetQuery(query: string | undefined): PetQuery | ApiError {
  const result: MutableQuery = { limit: pageLimit.default }
  if (!query) return result
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
    if (seen.includes(parameter)) problems.push(`"${name}" is repeated`)
    else if (!parameter.read(value, result)) problems.push(`"${name}" ${parameter.rule}`)
    seen.push(parameter)
  }
  if (problems.length === 0) return result
  return new ApiError('invalid_parameter', `Change the query: ${[...new Set(problems)].join('; ')}.`)
}

function readLimit(value: string, result: MutableQuery): boolean {
  if (!/^[1-9]\d{0,2}$/.test(value)) return false
  result.limit = Number(value)
  return result.limit >= pageLimit.minimum && result.limit <= pageLimit.maximum
}

function readStatus(value: string, result: MutableQuery): boolean {
  if (!isPetStatus(value)) return false
  result.status = value
  return true
}

function readAfter(value: string, result: MutableQuery): boolean {
  const after = int64OfDecimal(value)
  if (after === undefined) return false
  result.after = after
  return true
}

/** Percent-decodes a text, with `+` as a space; undefined if an escape is malformed or the result is not UTF-8. */
function decode(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** Shortens text of a client in a message. */
function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
