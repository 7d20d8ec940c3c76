import { toUrl } from './links.ts'
import { checkOptions, countRule, createTextRule, createTypeRule, type Rules } from './rules.ts'
import type { PetClientOptions } from './types.ts'
import { withTimeout } from './with-timeout.ts'

/** An object type without `undefined` members. */
type Defined<T> = { readonly [Name in keyof T]: Exclude<T[Name], undefined> }

/** Client options with their defaults. `clock` always returns a number. */
export interface ResolvedOptions extends Defined<Required<PetClientOptions>> {
  /** Returns the current time in milliseconds since the epoch. */
  readonly wallClock: () => number
}

const defaults = {
  fetch: (url: string, init: RequestInit) => globalThis.fetch(url, init),
  waitForReset: false,
  maxWaitMs: 120_000,
  maxRetries: 4,
  timeoutMs: 30_000,
  idempotency: true,
  onDeprecation: (event: unknown) => console.warn('Deprecated:', event),
  onRetry() {},
  clock: () => performance.now(), // `Date.now()` would jump when the system time changes
  sleep: (ms: number, signal: AbortSignal) =>
    withTimeout(ms, signal, () => new Promise(() => {})).catch(() => {}),
  random: Math.random,
}

const clientRules: Rules = {
  baseUrl: (value) =>
    createTextRule(
      /^https?:\/\/[^/@]+\/[^?#]*$/,
      'an HTTP URL without credentials, query or fragment',
    )(typeof value === 'string' ? toUrl(value)?.href : Object(value).href),
  apiKey: createTextRule(/^[!-~]+$/, 'a string of visible ASCII characters'),
  ...Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [
      name,
      typeof value === 'number' ? countRule : createTypeRule(typeof value),
    ]),
  ),
}

/**
 * Wraps a clock or a random source. The fallback is used if it does not return a finite number, as with some fake
 * timers.
 */
const withFallback = (read: () => number, fallback: () => number) => () => {
  const value = read()
  return Number.isFinite(value) ? value : fallback()
}

/** Copies an object without its `undefined` members. */
export function dropUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(Object(value)).filter(([, member]) => member !== undefined),
  ) as Defined<T> // all members are defined
}

/**
 * Validates the client options and adds the defaults.
 *
 * @throws {TypeError} An option is missing, unknown or invalid.
 */
export function resolveOptions(options: PetClientOptions): ResolvedOptions {
  const givenOptions = dropUndefined(options)
  const allOptions = { ...defaults, ...givenOptions }
  checkOptions('options', allOptions, clientRules)
  return {
    ...allOptions,
    clock: withFallback(allOptions.clock, Date.now),
    wallClock: givenOptions.clock ?? Date.now,
    random: withFallback(allOptions.random, () => 0.5),
  }
}
