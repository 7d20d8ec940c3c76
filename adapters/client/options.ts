import { toInt64 } from './int64.ts'
import type { PetClientOptions } from './types.ts'
import { withTimeout } from './with-timeout.ts'

/** The options of a client with their defaults. The clocks always return a number. */
export interface ResolvedOptions extends Required<Omit<PetClientOptions, 'clock'>> {
  /** Time for durations, in milliseconds. By default it never steps, as the time of day can. */
  readonly now: () => number
  /** Time of day, in milliseconds since the epoch. */
  readonly wallClock: () => number
}

type Rule = (value: unknown) => boolean
/** The rules of the members that an object may have. */
type Rules = Readonly<Record<string, Rule>>
type Members = Readonly<Record<string, unknown>>

const optional =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined || rule(value)
const isType =
  (type: string): Rule =>
  (value) =>
    typeof value === type
const isText =
  (pattern: RegExp): Rule =>
  (value) =>
    typeof value === 'string' && pattern.test(value)
const isInt64: Rule = (value) => toInt64(value) !== undefined
const isCount: Rule = (value) => Number.isSafeInteger(value) && (value as number) >= 0 // an integer is a number
const status = optional(isText(/^(available|pending|sold)$/))

export const idRules: Rules = { id: isInt64 }
export const newPetRules: Rules = { name: isType('string'), categoryId: isInt64, status }
export const petRules: Rules = { ...idRules, ...newPetRules }
export const queryRules: Rules = { limit: optional(isType('number')), status, after: optional(isInt64) }
export const callRules: Rules = { signal: optional((value) => value instanceof AbortSignal) }
export const createRules: Rules = {
  ...callRules,
  idempotencyKey: optional(isText(/^[!#-[\]-~]{1,255}$/)),
}

/** Returns the members that are not undefined. */
export const givenMembers = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, member]) => member !== undefined)

/** Returns the name of the first member that is missing, wrong or unknown. */
export function findWrong(value: Members, rules: Rules): string | undefined {
  return Object.keys({ ...rules, ...value }).find((name) => {
    const isRight = Object.hasOwn(rules, name) ? rules[name] : isType('undefined')
    return !isRight?.(value[name])
  })
}

/** Throws a `TypeError` with the name of such a member. Its value, which may be a key, is not shown. */
export function checkMembers(what: string, value: object, rules: Rules): void {
  const wrong = typeof value === 'object' ? findWrong(value as Members, rules) : ''
  if (wrong !== undefined) throw new TypeError(`${what}${wrong && `.${wrong}`} is missing, wrong or unknown`)
}

const defaults = {
  fetch: (request: Request) => globalThis.fetch(request),
  pace: false,
  maxWaitMs: 120_000,
  maxRetries: 4,
  timeoutMs: 30_000,
  idempotency: true,
  onDeprecation: (event: unknown) => console.warn('Deprecated:', event),
  onRetry() {},
  clock: () => performance.now(),
  sleep: (ms: number, signal: AbortSignal) =>
    withTimeout(ms, signal, () => new Promise(() => {})).catch(() => {}),
  random: Math.random,
}

/** A web address without credentials, query and fragment. */
const isBaseUrl = isText(/^https?:\/\/[^\s\\/?#@]+(\/[^?#]*)?$/i)

const clientRules: Rules = {
  baseUrl: (value) => isBaseUrl(value instanceof URL ? value.href : value) && URL.canParse(String(value)),
  apiKey: isText(/^[!-~]+$/),
  ...Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [
      name,
      typeof value === 'number' ? isCount : isType(typeof value),
    ]),
  ),
}

/** Calls `fallback` if `read` returns no number: fake timers can make a clock return something else. */
const withFallback = (read: () => number, fallback: () => number) => () => {
  const value = read()
  return Number.isFinite(value) ? value : fallback()
}

/** Checks the options of a client and adds the defaults. Throws a `TypeError` with the name of a wrong one. */
export function resolveOptions(options: PetClientOptions): ResolvedOptions {
  const given = Object.fromEntries(givenMembers(options)) as unknown as PetClientOptions // entries lose the types
  const all = { ...defaults, ...given }
  checkMembers('options', all, clientRules)
  return {
    ...all,
    now: withFallback(all.clock, Date.now),
    wallClock: withFallback(given.clock ?? Date.now, Date.now),
    random: withFallback(all.random, () => 0.5),
  }
}
