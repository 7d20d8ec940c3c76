import type { Plan, ServiceOptions } from '../../../core/index.ts'
import { petStatuses, plans } from '../../../core/index.ts'
import {
  checkServiceOptions,
  createClientReader,
  findNameProblem,
  isIsoTime,
  parseDecimalInt64,
  toIsoTime,
} from '../../../core/internal.ts'
import { toTable } from '../../postgres/table.ts'
import { UsageError } from '../errors.ts'

/** The value of a flag or of its variable. */
export interface Setting<T = string> {
  /** Parsed when it is read: a variable that a flag replaces may have any value. Throws `UsageError`. */
  readonly value: T
  /** The flag or variable, for messages: `--port` or `PORT`. */
  readonly source: string
}

/** Parses the text of a setting. Throws `UsageError` that names its source, and never its value if that is a secret. */
export type Parse<T> = (setting: Setting) => T

/** The minimum length of a key that an operator chooses: a shorter one can be guessed. */
export const minKeyLength = 20

/** The maximum length of ids and labels, in characters. */
const maxTextLength = 200
/** A text without control characters. Joiners are invisible too, and part of words and of emoji. */
const visible = /^(?:\P{C}|[\u200c\u200d])+$/u

export const planNames: readonly Plan[] = [...Object.keys(plans), 'enterprise'] as Plan[] // the table has no other keys
export const statusNames: readonly string[] = [...petStatuses, 'none']

export function parseText({ value, source }: Setting): string {
  if (visible.test(value) && [...value].length <= maxTextLength) return value
  throw new UsageError(
    `${source} must be at most ${maxTextLength} characters long, without control characters`,
  )
}

export function parseAsIs({ value }: Setting): string {
  return value
}

/** Parses a whole number without leading zeros. */
export function parseWhole(min: number, max: number, note = ''): Parse<number> {
  return ({ value, source }) => {
    const number = /^(?:0|[1-9]\d*)$/.test(value) ? Number(value) : Number.NaN
    if (number >= min && number <= max) return number
    throw new UsageError(`${source} must be a whole number from ${min} to ${max}${note}`)
  }
}

export function parseInt64({ value, source }: Setting): bigint {
  const integer = parseDecimalInt64(value)
  if (integer === undefined) throw new UsageError(`${source} must be an int64, such as 7`)
  return integer
}

/** Parses the name of an animal as createPet does. */
export function parseName(maxLength: number | null): Parse<string> {
  return ({ value, source }) => {
    const problem = findNameProblem(value, maxLength)
    if (problem) throw new UsageError(`${source} ${problem}`)
    return value
  }
}

/** Parses a date or a time with its zone. Returns it in UTC. */
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
  throw new UsageError(`${source} must be a number of up to six digits and s, m, h or d, such as 7d`)
}

/** Parses the first digits of a SHA-256. Returns them in lower case. */
export function parseHash({ value, source }: Setting): string {
  const sha256 = value.toLowerCase()
  if (/^[0-9a-f]{8,64}$/.test(sha256)) return sha256
  throw new UsageError(
    `${source} must be at least eight hexadecimal digits: the beginning of a hash that keys list shows`,
  )
}

export function parseTable({ value, source }: Setting): string {
  try {
    toTable(value)
  } catch {
    throw new UsageError(`${source} must be a name such as pets or shelter.pets, of a-z, 0-9 and _`)
  }
  return value
}

export function parseKey({ value, source }: Setting): string {
  if (/^[\w\-.~+/]+=*$/.test(value) && value.length >= minKeyLength) return value
  throw new UsageError(
    `${source} must be at least ${minKeyLength} letters, digits and -._~+/, which callers can send: make a key with pet-adoption-service keygen --id NAME --plan PLAN`,
  )
}

export function parseList({ value }: Setting): readonly string[] {
  return value.split(',').map((entry) => entry.trim())
}

/** Parses a number of hops, or a list of networks. */
export function parseProxies(setting: Setting): number | readonly string[] {
  const proxies = /^\d+$/.test(setting.value) ? Number(setting.value) : parseList(setting)
  createClientReader(proxies) // throws for an invalid network
  return proxies
}

/** Parses an option of the service, which validates it. A `UsageError` names the source instead of the option. */
export function parseServiceOption<Name extends keyof ServiceOptions, T extends ServiceOptions[Name]>(
  option: Name,
  parse: Parse<T>,
): Parse<T> {
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
