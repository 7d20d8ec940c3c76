import { type Clock, realClock } from './clock.ts'
import { type RatePlan, ratePlanNames } from './transcript/rate-plans.ts'
import { type Profile, profiles } from './transcript/transcript.ts'

/** A rule that is known to fail on this deployment, and is not to count for now. */
export interface KnownFailure {
  readonly rule: string
  readonly reason: string
  /** From this instant on (ISO date or time) it counts again; absent: it never does. */
  readonly until?: string
}

/** What to judge, and how. */
export interface JudgeOptions {
  /** Ids of the rules to judge; all of the profile's by default. */
  readonly only?: readonly string[]
  /** Ids of rules to leave out. */
  readonly skip?: readonly string[]
  readonly knownFailures?: readonly KnownFailure[]
  /** The suite's clock, in place of the transcript's. */
  readonly now?: Date
  /** The plan of the key, in place of the transcript's. */
  readonly plan?: RatePlan
}

/** What a run sends, and to whom. */
export interface RunOptions extends JudgeOptions {
  /** The base address, `/v1` included. */
  readonly baseUrl: string
  /** A valid API key. It is in no transcript, report or message. */
  readonly key: string
  /** `read` by default: GET only. */
  readonly profile?: Profile
  /** The key that `exhaust` and `all` drive to its limit; needed there, and never the main key. */
  readonly throttleKey?: string
  /** A category that creations may name; by default that of a listed animal. */
  readonly categoryId?: bigint
  /** The most requests to send; the run ends early there. It also raises or lowers the bound of the burn. */
  readonly maxRequests?: number
  /** The most milliseconds that one exchange may take; 10,000 by default. */
  readonly timeoutMs?: number
  /** Sends a request; the global `fetch` by default, or a handler in the same process. */
  readonly fetch?: (request: Request) => Promise<Response> | Response
  /** So many random bytes; from `crypto` by default. */
  readonly random?: (size: number) => Uint8Array
  /** The real clock, and the waits; not the suite's, which is `now`. */
  readonly clock?: Clock
  /** Told the run's marker before anything is sent: it stands in the name of every animal that the run creates. */
  readonly onStart?: (run: { readonly marker: string }) => void
}

/** A run's options with its defaults filled in. */
export interface Settings {
  readonly baseUrl: string
  readonly key: string
  readonly profile: Profile
  readonly throttleKey: string | undefined
  readonly plan: RatePlan | undefined
  readonly categoryId: bigint | undefined
  readonly maxRequests: number | undefined
  readonly timeoutMs: number
  readonly now: Date | undefined
  readonly fetch: (request: Request) => Promise<Response> | Response
  readonly random: (size: number) => Uint8Array
  readonly clock: Clock
  readonly onStart: RunOptions['onStart']
}

/** Fills in the defaults. Throws a TypeError that names the bad option, and never quotes a key. */
export function readOptions(options: RunOptions): Settings {
  const { key, profile = 'read', throttleKey, plan, categoryId, maxRequests, timeoutMs = 10_000 } = options
  check(profiles.includes(profile), `profile is ${oneOf(profiles)}`)
  check(plan === undefined || ratePlanNames.includes(plan), `plan is ${oneOf(ratePlanNames)}`)
  check(isKey(key), 'key is an API key: visible ASCII characters without spaces')
  if (burns(profile)) {
    check(
      throttleKey !== undefined,
      `throttleKey is needed by the profile ${profile}: a key that may be burnt`,
    )
  }
  check(throttleKey === undefined || isKey(throttleKey), 'throttleKey is an API key')
  check(throttleKey !== key, 'throttleKey is another key than key: it is driven to its limit')
  check(categoryId === undefined || BigInt.asIntN(64, categoryId) === categoryId, 'categoryId is an int64')
  check(maxRequests === undefined || isCount(maxRequests), 'maxRequests is a whole number from 1 upward')
  check(
    isCount(timeoutMs) && timeoutMs < 2 ** 31,
    'timeoutMs is a whole number of milliseconds from 1 upward',
  )
  check(!Number.isNaN(options.now?.getTime()), 'now is a date')
  return {
    baseUrl: baseAddress(options.baseUrl),
    key,
    profile,
    throttleKey,
    plan,
    categoryId,
    maxRequests,
    timeoutMs,
    now: options.now,
    fetch: options.fetch ?? fetch,
    random: options.random ?? ((size) => crypto.getRandomValues(new Uint8Array(size))),
    clock: options.clock ?? realClock,
    onStart: options.onStart,
  }
}

/** Whether a profile drives the throttle key to its limit. */
export function burns(profile: Profile): boolean {
  return profile === 'exhaust' || profile === 'all'
}

/** Whether a profile sends POSTs. */
export function creates(profile: Profile): boolean {
  return profile === 'create' || profile === 'all'
}

function baseAddress(text: string): string {
  check(URL.canParse(text), 'baseUrl is an http or https address such as https://api.example.com/v1')
  const url = new URL(text)
  check(/^https?:$/.test(url.protocol), 'baseUrl is an http or https address')
  check(url.username + url.password === '', 'baseUrl holds no credentials: the key is an option of its own')
  check(url.search + url.hash === '', 'baseUrl ends with its path: no query and no fragment')
  return url.href.replace(/\/+$/, '')
}

function isKey(key: unknown): boolean {
  return typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new TypeError(message)
}

/** Words as a choice, such as `a, b or c`. */
function oneOf(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
