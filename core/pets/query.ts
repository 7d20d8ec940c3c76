import { parseDecimalInt64 } from '../base/int64.ts'
import { isWholeNumber } from '../base/options.ts'
import { ApiError } from '../http/errors.ts'
import { petStatuses } from './pet.ts'
import type { PetQuery } from './store.ts'

/** The bounds and default of `limit` (spec 4.1). */
export const pageLimit = { minimum: 1, maximum: 100, default: 20 } as const

/** Maximum parameters in a query, including empty ones. */
const maxParameters = 100

/** Maximum problems in an error message. The rest of the query is not read. */
const maxProblems = 10

/** The error text for each parameter, and the function that reads its value. */
const parameterRules = new Map<
  string,
  readonly [rule: string, read: (value: string) => PetQuery[keyof PetQuery]]
>([
  ['limit', [`must be an integer from ${pageLimit.minimum} to ${pageLimit.maximum}`, readLimit]],
  ['status', [`must be one of ${petStatuses.join(', ')}`, (value) => petStatuses.find((it) => it === value)]],
  ['after', ['must be an id, such as 20', parseDecimalInt64]],
])

/**
 * Reads the query of `listPets` (spec 4.1). Unknown parameters are ignored. The error names the first 10 invalid or
 * repeated parameters. More than 100 parameters are an error too.
 */
export function readPetQuery(query = ''): PetQuery | ApiError {
  const parameterPairs = query.split('&', maxParameters + 1)
  if (parameterPairs.length > maxParameters)
    return new ApiError('invalid_parameter', `Send at most ${maxParameters} query parameters.`)
  const foundParameters: Partial<Record<string, PetQuery[keyof PetQuery]>> = {}
  const problems: string[] = []
  for (const pair of parameterPairs) {
    if (problems.length === maxProblems) break
    const equalsIndex = pair.indexOf('=')
    const rawName = equalsIndex < 0 ? pair : pair.slice(0, equalsIndex)
    const name = decodeFormText(rawName)
    const value = equalsIndex < 0 ? '' : decodeFormText(pair.slice(equalsIndex + 1))
    if (name === undefined || value === undefined) {
      const shownName = rawName.length > 40 ? `${rawName.slice(0, 40)}…` : rawName
      problems.push(`"${shownName}" has an invalid percent escape`)
      continue
    }
    const [rule, read] = parameterRules.get(name) ?? []
    if (!read) continue
    const isRepeated = name in foundParameters
    foundParameters[name] = read(value)
    if (isRepeated) problems.push(`"${name}" is repeated`)
    else if (foundParameters[name] === undefined) problems.push(`"${name}" ${rule}`)
  }
  if (problems.length === 0) return { limit: pageLimit.default, ...foundParameters }
  return new ApiError('invalid_parameter', `The query is not valid: ${[...new Set(problems)].join('; ')}.`)
}

function readLimit(value: string): number | undefined {
  const limit = /^[1-9]\d{0,2}$/.test(value) ? Number(value) : 0
  return isWholeNumber(limit, pageLimit.minimum, pageLimit.maximum) ? limit : undefined
}

/**
 * Decodes a name or value, with `+` as a space. Returns `undefined` if an escape is malformed or the result is not
 * UTF-8.
 */
function decodeFormText(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
