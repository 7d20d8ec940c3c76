import type { Plan, ServiceOptions } from '../../../core/index.ts'
import { petStatuses, plans } from '../../../core/index.ts'
import {
  checkServiceOptions,
  createClientAddressReader,
  findNameProblem,
  isIsoTime,
  parseDecimalInt64,
  toIsoTime,
} from '../../../core/internal.ts'
import { toTableNames } from '../../postgres/table.ts'
import { UsageError } from '../errors.ts'

/** A value and its source. */
export interface Setting<T = string> {
  /**
   * The parsed value. Parsing happens on access, so an environment variable that a flag overrides may be invalid.
   *
   * @throws {UsageError} If the value is invalid.
   */
  readonly value: T
  /** Flag or environment variable that sets the value, such as `--port` or `PORT`. */
  readonly source: string
}

/**
 * Parses a setting's text.
 *
 * @throws {UsageError} If the text is invalid. The message names the source, and never contains a secret.
 */
export type Parse<T> = (setting: Setting) => T

/** Minimum length that an operator's own key must have, in characters. Shorter keys can be guessed. */
export const minKeyLength = 20

/** Longest id or label, in characters. */
const maxTextLength = 200
/** Text without control characters. Zero-width joiners are allowed: emoji and some scripts need them. */
const visibleText = /^(?:\P{C}|[\u200c\u200d])+$/u

export const planNames: readonly Plan[] = [...Object.keys(plans), 'enterprise'] as Plan[] // Object.keys returns string[]
export const statusNames: readonly string[] = [...petStatuses, 'none']

export function parseText({ value, source }: Setting): string {
  if (visibleText.test(value) && [...value].length <= maxTextLength) return value
  throw new UsageError(
    `${source} must be at most ${maxTextLength} characters long, without control characters`,
  )
}

export function parseAsIs({ value }: Setting): string {
  return value
}

/**
 * Creates a parser for whole numbers without leading zeros, from `min` to `max`. `note` is appended to the error
 * message.
 */
export function parseWhole(min: number, max: number, note = ''): Parse<number> {
  return ({ value, source }) => {
    const number = /^(?:0|[1-9]\d*)$/.test(value) ? Number(value) : Number.NaN
    if (number >= min && number <= max) return number
    throw new UsageError(`${source} must be an integer from ${min} to ${max}${note}`)
  }
}

export function parseInt64({ value, source }: Setting): bigint {
  const integer = parseDecimalInt64(value)
  if (integer === undefined) throw new UsageError(`${source} must be an int64, such as 7`)
  return integer
}

/** Creates a parser for animal names, with the service's rules. */
export function parseName(maxLength: number | null): Parse<string> {
  return ({ value, source }) => {
    const problem = findNameProblem(value, maxLength)
    if (problem) throw new UsageError(`${source} ${problem}`)
    return value
  }
}

/** Parses a date, or a time with a time zone. Returns an ISO 8601 time in UTC. */
export function parseTime({ value, source }: Setting): string {
  if (isIsoTime(value)) return toIsoTime(Date.parse(value))
  throw new UsageError(
    `${source} must be a date, or a time with its zone, such as 2028-01-31 or 2028-01-31T12:00:00Z`,
  )
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Parses a duration such as `7d`. Returns milliseconds. */
export function parseDuration({ value, source }: Setting): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(value) ?? []
  if (count !== undefined) return Number(count) * (unitMs[unit] ?? 0)
  throw new UsageError(`${source} must be at most six digits followed by s, m, h or d, such as 7d`)
}

/** Parses a SHA-256 prefix with at least eight hexadecimal digits. Returns it in lower case. */
export function parseHash({ value, source }: Setting): string {
  const sha256 = value.toLowerCase()
  if (/^[0-9a-f]{8,64}$/.test(sha256)) return sha256
  throw new UsageError(`${source} must be at least eight hexadecimal digits, as keys list shows them`)
}

export function parseTable({ value, source }: Setting): string {
  try {
    toTableNames(value)
  } catch {
    throw new UsageError(
      `${source} must be a table name such as pets or shelter.pets, with only a-z, 0-9 and _`,
    )
  }
  return value
}

export function parseKey({ value, source }: Setting): string {
  if (/^[\w\-.~+/]+=*$/.test(value) && value.length >= minKeyLength) return value
  throw new UsageError(
    `${source} must be at least ${minKeyLength} letters, digits and -._~+/: pet-adoption-service keygen --id NAME --plan PLAN creates a key`,
  )
}

export function parseList({ value }: Setting): readonly string[] {
  return value.split(',').map((entry) => entry.trim())
}

/** Parses how many proxies are trusted, or their networks. */
export function parseProxies(setting: Setting): number | readonly string[] {
  const proxies = /^\d+$/.test(setting.value) ? Number(setting.value) : parseList(setting)
  createClientAddressReader(proxies) // throws if a network is invalid
  return proxies
}

/** Creates a parser that accepts only the given words. */
export function parseWord(choices: readonly string[]): Parse<string> {
  return ({ value, source }) => {
    if (choices.includes(value)) return value
    throw new UsageError(`${source} must be one of ${choices.join(', ')}`)
  }
}

/**
 * Adds the service's own validation to a parser. Messages then name the flag or environment variable, not the
 * option.
 */
export function parseServiceOption(option: keyof ServiceOptions, parse: Parse<unknown>): Parse<unknown> {
  return (setting) => {
    try {
      const parsed = parse(setting)
      checkServiceOptions({ [option]: parsed })
      return parsed
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause)
      throw new UsageError(message.replace(`options.${option}`, setting.source))
    }
  }
}
