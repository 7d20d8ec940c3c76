import type { Fetch } from '../network/fetch-transport.ts'
import { type HttpProxy, readProxy } from '../network/proxy.ts'
import { findTlsProblem, type TlsOptions } from '../network/tls-options.ts'
import { burns, type Profile, profiles } from '../steps/profile.ts'
import { mostExchanges } from '../transcript/bounds.ts'
import { type RatePlan, ratePlanNames } from '../transcript/rate-plans.ts'
import type { Exchange } from '../transcript/transcript.ts'
import { type ExtraHeader, type HeaderValue, readExtraHeaders } from './extra-headers.ts'
import { type Clock, maxTimerMs, realClock } from './pace.ts'

/** A rule that is known to fail on the deployment. Its failure does not count. */
export interface KnownFailure {
  /** The id of a rule. */
  readonly rule: string
  /** The reason, for the report. */
  readonly reason: string
  /** An ISO date, or a date and time with its zone: the failure counts from then on. Without it, it never counts. */
  readonly until?: string
}

/** The rules to judge, with the clock and the plan to judge by. */
export interface JudgeOptions {
  /** Ids or families of the rules to judge; every rule of the profile by default. The run sends its profile. */
  readonly only?: readonly string[]
  /** Ids or families of rules not to judge; none by default. */
  readonly skip?: readonly string[]
  /** Rules whose failures do not count; none by default. A rule without a failure is an error here. */
  readonly knownFailures?: readonly KnownFailure[]
  /** The time that decides whether `getPet` should be removed; by default the time of the run. */
  readonly now?: Date
  /** The plan of the key, for RATE-8; by default the plan of the run, if it had one. */
  readonly plan?: RatePlan
}

/** The options of a run: its address, its requests and its clock. */
export interface RunOptions extends JudgeOptions {
  /** The base URL of the deployment, including `/v1`, with the scheme http or https. */
  readonly baseUrl: string
  /** A valid API key: visible ASCII characters without spaces. No transcript, report or message contains it. */
  readonly key: string
  /** The profile that chooses the requests; `read` by default, which sends only GET. */
  readonly profile?: Profile
  /** Another key, which `exhaust` and `all` drive to its limit; they require it. */
  readonly throttleKey?: string
  /** A category (an int64) for the animals that the run creates; by default the category of a listed animal, else 1. */
  readonly categoryId?: bigint
  /**
   * Maximum number of requests: a whole number from 1; unlimited by default. After that many requests, the run ends
   * early. It also replaces the maximum number of requests that exhaust the limit of `throttleKey`, which is 500.
   */
  readonly maxRequests?: number
  /** Maximum time of one exchange, in milliseconds: a whole number from 1 to 2,147,483,647; 10,000 by default. */
  readonly timeoutMs?: number
  /**
   * Maximum requests per second, such as 0.5 or 20: above 0. By default the suite sends as soon as it has a response,
   * and waits by itself when `X-RateLimit-Remaining` is 0.
   */
  readonly pace?: number
  /**
   * Additional headers of every request, for a gateway in front of the deployment. Their values are in no transcript,
   * report or message: `$X_TENANT` replaces the value of `X-Tenant`.
   */
  readonly headers?: Readonly<Record<string, string | HeaderValue>>
  /** Certificates, for an https deployment; by default the ones the runtime trusts. Not with `fetch`. */
  readonly tls?: TlsOptions
  /**
   * The address of an http proxy, with its credentials if it requires some; by default none. Not with `fetch`.
   * The command line reads it from `HTTPS_PROXY` and `HTTP_PROXY`, unless `NO_PROXY` has the host.
   */
  readonly proxy?: string
  /**
   * Sends a request, such as the global `fetch` or a handler in the same process. By default the suite sends over
   * `node:http`, which Node, Deno and Bun have.
   */
  readonly fetch?: Fetch
  /** Returns `size` random bytes; from `crypto` by default. */
  readonly random?: (size: number) => Uint8Array
  /** The clock that measures and waits; the real one by default. Rules judge by `now` instead. */
  readonly clock?: Clock
  /** Called before anything is sent, with the marker that is in the name of every animal that the run creates. */
  readonly onStart?: (run: { readonly marker: string }) => void
  /** Called after each exchange, with placeholders for secrets. */
  readonly onExchange?: (exchange: Exchange) => void
  /** Ends the run early: the request under way is completed, no further one is sent, and waits end immediately. */
  readonly signal?: AbortSignal
}

/** The options of a run, validated, with the defaults filled in. */
export interface ResolvedOptions extends Omit<RunOptions, 'headers' | 'proxy'> {
  readonly profile: Profile
  readonly timeoutMs: number
  readonly headers: readonly ExtraHeader[]
  readonly tls: TlsOptions
  readonly proxy?: HttpProxy
  readonly random: (size: number) => Uint8Array
  readonly clock: Clock
}

/** Validates options and fills in the defaults. Throws a TypeError that names the invalid option and quotes no key. */
export function readOptions({ headers, proxy, ...options }: RunOptions): ResolvedOptions {
  const {
    key,
    profile = 'read',
    throttleKey,
    plan,
    categoryId,
    maxRequests,
    timeoutMs = 10_000,
    pace,
    tls = {},
    fetch,
    random = (size) => crypto.getRandomValues(new Uint8Array(size)),
    clock = realClock,
  } = options
  const aKey = 'must be an API key: visible ASCII characters without spaces'
  check(profiles.includes(profile), `profile must be one of ${profiles.join(', ')}`)
  check(plan === undefined || ratePlanNames.includes(plan), `plan must be one of ${ratePlanNames.join(', ')}`)
  check(isKey(key), `key ${aKey}`)
  const needed = `throttleKey must be given for the profile ${profile}: a key that may reach its limit`
  check(throttleKey !== undefined || !burns(profile), needed)
  check(throttleKey === undefined || isKey(throttleKey), `throttleKey ${aKey}`)
  check(throttleKey !== key, 'throttleKey must be another key than key, as the run drives it to its limit')
  const isInt64 = categoryId === undefined || BigInt.asIntN(64, categoryId) === categoryId
  check(isInt64, 'categoryId must be an int64')
  checkCount('maxRequests', maxRequests ?? 1, mostExchanges)
  checkCount('timeoutMs', timeoutMs, maxTimerMs)
  check(pace === undefined || (Number.isFinite(pace) && pace > 0), 'pace must be a number above 0')
  check(fetch === undefined || options.tls === undefined, 'tls must not be given with fetch')
  check(fetch === undefined || proxy === undefined, 'proxy must not be given with fetch')
  const both = 'tls must have both cert and key: the certificate of the client and its private key'
  check((tls.cert === undefined) === (tls.key === undefined), both)
  const wrong = findTlsProblem(tls)
  check(wrong === undefined, `tls.${wrong?.option} ${wrong?.problem}`)
  check(!Number.isNaN(options.now?.getTime()), 'now must be a valid date')
  return {
    ...options,
    baseUrl: baseAddress(options.baseUrl),
    profile,
    timeoutMs,
    headers: readExtraHeaders(headers),
    tls,
    ...(proxy !== undefined && { proxy: readProxy(proxy) }),
    random,
    clock: {
      now: () => clock.now(),
      elapsed: () => clock.elapsed(),
      sleep: (ms, reason) => clock.sleep(ms, reason, options.signal),
    },
  }
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

function checkCount(name: string, value: number, most: number): void {
  const isCount = Number.isSafeInteger(value) && value > 0 && value <= most
  check(isCount, `${name} must be a whole number from 1 to ${most}`)
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new TypeError(message)
}
