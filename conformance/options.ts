import { type Clock, realClock } from './clock.ts'
import { type RatePlan, ratePlanNames } from './transcript/rate-plans.ts'
import { type Profile, profiles } from './transcript/transcript.ts'

/** A rule that is known to fail on the deployment. Its failure does not count. */
export interface KnownFailure {
  readonly rule: string
  readonly reason: string
  /** An ISO date, or a date and time with its zone: the failure counts from then on. Without it, it never counts. */
  readonly until?: string
}

/** Which rules to judge, and by what clock and plan. */
export interface JudgeOptions {
  /** The ids of the rules to judge; every rule of the profile by default. */
  readonly only?: readonly string[]
  /** The ids of rules not to judge; none by default. */
  readonly skip?: readonly string[]
  /** Rules whose failures do not count; none by default. A listed rule that passes is an error. */
  readonly knownFailures?: readonly KnownFailure[]
  /** The time by which rules judge the removal of `getPet`; by default the time of the run. */
  readonly now?: Date
  /** The plan of the key, for RATE-8; by default the plan of the run, if it had one. */
  readonly plan?: RatePlan
}

/** What a run sends, and where. */
export interface RunOptions extends JudgeOptions {
  /** The base address of the deployment, including `/v1`, with the scheme http or https. */
  readonly baseUrl: string
  /** A valid API key: visible ASCII characters without spaces. No transcript, report or message contains it. */
  readonly key: string
  /** Which requests to send; `read` by default, which sends only GET. */
  readonly profile?: Profile
  /** Another key, which `exhaust` and `all` drive to its limit; they require it. */
  readonly throttleKey?: string
  /** An existing category (an int64), for the animals that the run creates; by default that of a listed animal, else 1. */
  readonly categoryId?: bigint
  /**
   * The most requests to send: a whole number from 1; no bound by default. The run ends early when they are sent. It also
   * replaces the bound of the requests that drive `throttleKey` to its limit, which is 500 by default.
   */
  readonly maxRequests?: number
  /** How long one exchange may take, in milliseconds: a whole number from 1 to 2,147,483,647; 10,000 by default. */
  readonly timeoutMs?: number
  /** Sends a request; the global `fetch` by default. A handler in the same process works too. */
  readonly fetch?: (request: Request) => Promise<Response> | Response
  /** Returns `size` random bytes; from `crypto` by default. */
  readonly random?: (size: number) => Uint8Array
  /** The clock that measures and waits; the real one by default. It is not `now`, by which rules judge. */
  readonly clock?: Clock
  /** Called before anything is sent, with the marker that is in the name of every animal that the run creates. */
  readonly onStart?: (run: { readonly marker: string }) => void
}

/** The options of a run with the defaults filled in. */
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

/** The largest delay of a timer, in milliseconds. */
const longestTimeout = 2 ** 31 - 1

/** Validates options and fills in the defaults. Throws a TypeError that names the invalid option and quotes no key. */
export function readOptions(options: RunOptions): Settings {
  const { key, profile = 'read', throttleKey, plan, categoryId, maxRequests, timeoutMs = 10_000 } = options
  check(profiles.includes(profile), `profile must be one of ${profiles.join(', ')}`)
  check(plan === undefined || ratePlanNames.includes(plan), `plan must be one of ${ratePlanNames.join(', ')}`)
  check(isKey(key), 'key must be an API key: visible ASCII characters without spaces')
  if (burns(profile)) {
    check(
      throttleKey !== undefined,
      `throttleKey must be given for the profile ${profile}: a key that may reach its limit`,
    )
  }
  check(
    throttleKey === undefined || isKey(throttleKey),
    'throttleKey must be an API key: visible ASCII characters without spaces',
  )
  check(throttleKey !== key, 'throttleKey must be another key than key, as the run drives it to its limit')
  check(
    categoryId === undefined || BigInt.asIntN(64, categoryId) === categoryId,
    'categoryId must be an int64',
  )
  check(maxRequests === undefined || isCount(maxRequests), 'maxRequests must be a whole number from 1 upward')
  check(
    isCount(timeoutMs) && timeoutMs <= longestTimeout,
    `timeoutMs must be a whole number from 1 to ${longestTimeout}`,
  )
  check(!Number.isNaN(options.now?.getTime()), 'now must be a valid date')
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
  check(URL.canParse(text), 'baseUrl must be an http or https address such as https://api.example.com/v1')
  const url = new URL(text)
  check(/^https?:$/.test(url.protocol), 'baseUrl must be an http or https address')
  check(url.username + url.password === '', 'baseUrl must hold no credentials: the key is a separate option')
  check(url.search + url.hash === '', 'baseUrl must end with its path, without a query and a fragment')
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
