import { Fault } from './errors.ts'
import { int64OfDecimal } from './int64.ts'
import { isPetStatus, type PetStatus, petStatuses } from './pet.ts'
import type { PetQuery } from './store.ts'

/** The bounds of `limit` (spec 4.1). */
export const pageLimit = { minimum: 1, maximum: 100, default: 20 } as const

/** What each parameter of listPets must be, in words for the caller. */
const rules = {
  limit: `must be a whole number from ${pageLimit.minimum} to ${pageLimit.maximum}`,
  status: `must be one of ${petStatuses.join(', ')}`,
  after: 'must be the id of an animal, in decimal',
} as const

type Parameter = keyof typeof rules

/**
 * Reads the query of listPets (spec 4.1). Unknown parameters are ignored; invalid, repeated or badly escaped ones are a
 * Fault that names each.
 */
export function readPetQuery(query: string | undefined): PetQuery | Fault {
  if (!query) return { limit: pageLimit.default }
  const given: Partial<Record<Parameter, string>> = {}
  const problems: string[] = []
  for (const pair of query.split('&')) {
    const [rawName, rawValue] = splitOnce(pair, '=')
    const name = decode(rawName)
    const value = decode(rawValue)
    if (name === undefined || value === undefined)
      problems.push(`"${shorten(rawName)}" has a malformed percent escape`)
    else if (!isParameter(name)) continue
    else if (given[name] !== undefined) problems.push(`"${name}" is given more than once`)
    else given[name] = value
  }

  const limit = given.limit === undefined ? pageLimit.default : readLimit(given.limit)
  const status = given.status === undefined ? undefined : readStatus(given.status)
  const after = given.after === undefined ? undefined : int64OfDecimal(given.after)
  const read = { limit, status, after }
  for (const name of parameters) {
    if (given[name] !== undefined && read[name] === undefined) problems.push(`"${name}" ${rules[name]}`)
  }
  if (problems.length > 0 || limit === undefined) {
    return new Fault('invalid_parameter', `Change the query: ${problems.join('; ')}.`)
  }
  return { limit, ...(status && { status }), ...(after !== undefined && { after }) }
}

const parameters = Object.keys(rules).filter(isParameter)

function isParameter(name: string): name is Parameter {
  return Object.hasOwn(rules, name)
}

function readLimit(text: string): number | undefined {
  const limit = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 0
  return limit >= pageLimit.minimum && limit <= pageLimit.maximum ? limit : undefined
}

function readStatus(text: string): PetStatus | undefined {
  return isPetStatus(text) ? text : undefined
}

/** Percent-decodes, `+` a space; undefined where an escape is malformed or yields no UTF-8. */
function decode(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)]
}

/** Keeps a stranger's text from filling a message. */
function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
