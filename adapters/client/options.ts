import { toInt64 } from './int64.ts'
import type { PetClientOptions } from './types.ts'
import { withTimeout } from './with-timeout.ts'

/** The options of a client with their defaults. The clocks always return a number. */
export interface ResolvedOptions extends Required<Omit<PetClientOptions, 'clock'>> {
  /** Time for durations, in milliseconds since the epoch. By default it never steps, as the time of day can. */
  readonly now: () => number
  /** Time of day, in milliseconds since the epoch. */
  readonly wallClock: () => number
}

/** The type of each member that an object may have, or a function that checks its value. */
type Rules = Readonly<Record<string, string | ((value: unknown) => boolean)>>

const isInt64 = (value: unknown) => toInt64(value) !== undefined
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0 // an integer is a number
const isText = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)
const isStatus = (value: unknown) => ['available', 'pending', 'sold'].includes(String(value))

export const petRules: Rules = { id: isInt64, name: 'string', categoryId: isInt64, status: isStatus }
export const queryRules: Rules = { limit: 'number', status: isStatus, after: isInt64 }
export const callRules: Rules = { signal: (value) => value instanceof AbortSignal }
export const createRules: Rules = { ...callRules, idempotencyKey: isText(/^[!#-[\]-~]{1,255}$/) }

/** Returns the members that are not undefined. */
export const givenMembers = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, member]) => member !== undefined)

/** Returns the name of the first unknown or wrong member. */
export function findWrong(value: object, rules: Rules): string | undefined {
  return givenMembers(value).find(([name, member]) => {
    const rule = Object.hasOwn(rules, name) ? rules[name] : 'unknown'
    return typeof rule === 'function' ? !rule(member) : typeof member !== rule
  })?.[0]
}

/** Throws a `TypeError` with the name of an unknown or wrong member. Its value, which may be a key, is not shown. */
export function checkMembers(what: string, value: object, rules: Rules): void {
  const wrong = typeof value === 'object' ? findWrong(value, rules) : ''
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
  clock: () => performance.timeOrigin + performance.now(),
  sleep: (ms: number, signal: AbortSignal) =>
    withTimeout(ms, signal, () => new Promise(() => {})).catch(() => {}),
  random: Math.random,
}

const clientRules: Rules = {
  baseUrl: (value) => /^https?:\/\/[^?#@]+$/i.test(String(value)) && URL.canParse(String(value)),
  apiKey: isText(/^[!-~]+$/),
  ...Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [
      name,
      typeof value === 'number' ? isCount : typeof value,
    ]),
  ),
}

/** Returns the number that a function returns, or that of another: fake timers can make a clock return something else. */
const withFallback = (read: () => number, fallback: () => number) => () => {
  const value = read()
  return Number.isFinite(value) ? value : fallback()
}

/** Checks the options of a client and adds the defaults. Throws a `TypeError` with the name of a wrong one. */
export function resolveOptions(options: PetClientOptions): ResolvedOptions {
  const { baseUrl = null, apiKey = null } = options // null is wrong, undefined would be left out
  checkMembers('options', { ...options, baseUrl, apiKey }, clientRules)
  const given = Object.fromEntries(givenMembers(options)) as unknown as PetClientOptions // entries lose the types
  const all = { ...defaults, ...given }
  return {
    ...all,
    now: withFallback(all.clock, Date.now),
    wallClock: withFallback(options.clock ?? Date.now, Date.now),
    random: withFallback(all.random, () => 0.5),
  }
}
