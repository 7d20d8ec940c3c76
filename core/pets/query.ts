import { parseDecimalInt64 } from '../base/int64.ts'
import { isWholeNumber } from '../base/options.ts'
import { ApiError } from '../http/errors.ts'
import { petStatuses } from './pet.ts'
import type { PetQuery } from './store.ts'

/** The bounds of `limit` (spec 4.1). */
export const pageLimit = { minimum: 1, maximum: 100, default: 20 } as const

/** The maximum number of parameters of a query: the pieces between its ampersands, including empty ones. */
const maxParameters = 100

/** The maximum number of problems that are reported. The rest of the query is not read. */
const maxProblems = 10

/** The rule of each parameter of listPets in words for the client, and its reader: undefined for an invalid value. */
const parameters = new Map<
  string,
  readonly [rule: string, read: (value: string) => PetQuery[keyof PetQuery]]
>([
  ['limit', [`must be a whole number from ${pageLimit.minimum} to ${pageLimit.maximum}`, readLimit]],
  ['status', [`must be one of ${petStatuses.join(', ')}`, (value) => petStatuses.find((it) => it === value)]],
  ['after', ['must be an id in decimal', parseDecimalInt64]],
])

/**
 * Parses the query of listPets (spec 4.1). Unknown parameters are ignored. The error names the parameters that are
 * invalid, repeated or badly escaped, at most ten. More than 100 parameters are an error, too.
 */
export function readPetQuery(query = ''): PetQuery | ApiError {
  const pairs = query.split('&', maxParameters + 1)
  if (pairs.length > maxParameters)
    return new ApiError('invalid_parameter', `Send at most ${maxParameters} query parameters.`)
  const found: Partial<Record<string, PetQuery[keyof PetQuery]>> = {}
  const problems: string[] = []
  for (const pair of pairs) {
    if (problems.length === maxProblems) break
    const equals = pair.indexOf('=')
    const rawName = equals < 0 ? pair : pair.slice(0, equals)
    const name = decode(rawName)
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1))
    if (name === undefined || value === undefined) {
      const shown = rawName.length > 40 ? `${rawName.slice(0, 40)}…` : rawName
      problems.push(`"${shown}" has a bad percent escape`)
      continue
    }
    const [rule, read] = parameters.get(name) ?? []
    if (!read) continue
    const isRepeated = name in found
    found[name] = read(value)
    if (isRepeated) problems.push(`"${name}" is repeated`)
    else if (found[name] === undefined) problems.push(`"${name}" ${rule}`)
  }
  if (problems.length === 0) return { limit: pageLimit.default, ...found }
  return new ApiError('invalid_parameter', `Change the query: ${[...new Set(problems)].join('; ')}.`)
}

function readLimit(value: string): number | undefined {
  const limit = /^[1-9]\d{0,2}$/.test(value) ? Number(value) : 0
  return isWholeNumber(limit, pageLimit.minimum, pageLimit.maximum) ? limit : undefined
}

/** Percent-decodes a text, with `+` as a space; undefined if an escape is malformed or the result is not UTF-8. */
function decode(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
