import type { Fetch } from '../network/fetch-transport.ts'
import { type HttpProxy, parseProxy } from '../network/proxy.ts'
import { findTlsProblem, type TlsOptions } from '../network/tls-options.ts'
import { exhaustsLimit, type Profile, profiles } from '../steps/profile.ts'
import { maxExchanges } from '../transcript/bounds.ts'
import { type RatePlan, ratePlanNames } from '../transcript/rate-plans.ts'
import type { Exchange } from '../transcript/transcript.ts'
import { type ExtraHeader, type HeaderValue, readExtraHeaders } from './extra-headers.ts'
import { type Clock, maxTimerMs, realClock } from './pace.ts'

/** A failure that the caller knows about. It does not affect the exit code. */
export interface KnownFailure {
  /** ID of the rule, such as `LIST-6`. */
  readonly rule: string
  /** Why the failure is accepted. Reports show the reason. */
  readonly reason: string
  /**
   * Time from which the failure counts again: an ISO date, or a date and time with a time zone. It never counts by
   * default.
   */
  readonly until?: string
}

/** Options for judging a transcript. */
export interface JudgeOptions {
  /**
   * Rules to judge: IDs such as `LIST-6`, or families such as `LIST`. All rules by default. The run sends all requests
   * of its profile either way.
   */
  readonly only?: readonly string[]
  /** Rules to leave out, by ID or family, even if `only` selects them. None by default. */
  readonly skip?: readonly string[]
  /**
   * Failures that do not affect the exit code, none by default. A known failure whose rule does not fail is an error.
   */
  readonly knownFailures?: readonly KnownFailure[]
  /**
   * The date that rules assume, for example to judge whether getPet has been removed. By default the time when the run
   * started.
   */
  readonly now?: Date
  /**
   * The key's plan, for RATE-8: the limit must be one of the plan's two limits. By default the plan that the run was
   * given.
   */
  readonly plan?: RatePlan
}

/** Options for a run. */
export interface RunOptions extends JudgeOptions {
  /** URL of the API, including `/v1`, with the scheme http or https. */
  readonly baseUrl: string
  /** A valid API key: visible ASCII characters without spaces. No transcript, report or message contains it. */
  readonly apiKey: string
  /**
   * Which requests are sent, `read` by default. `create` adds animals, `exhaust` uses up the throttle key's limit, and
   * `all` does both.
   */
  readonly profile?: Profile
  /**
   * A second key whose limit the run may use up. Required for the profiles `exhaust` and `all`. It must differ from
   * `apiKey`.
   */
  readonly throttleKey?: string
  /** Category for the animals that the run creates, an int64. By default a listed animal's category, or else 1. */
  readonly categoryId?: bigint
  /**
   * Maximum number of requests, a whole number from 1. Unlimited by default. The run ends early after that many. The
   * number also replaces the maximum of 500 requests that use up the limit of `throttleKey`.
   */
  readonly maxRequests?: number
  /** Maximum time for one response, in milliseconds: a whole number from 1 to 2,147,483,647. 10,000 by default. */
  readonly timeoutMs?: number
  /**
   * Maximum number of requests per second, above 0, such as 0.5 or 20. By default each request follows the previous
   * response, and the suite waits for `X-RateLimit-Reset` if no requests remain.
   */
  readonly pace?: number
  /**
   * Additional headers for every request, such as for a gateway. No transcript, report or message contains their
   * values: `$X_TENANT` replaces the value of `X-Tenant`.
   */
  readonly headers?: Readonly<Record<string, string | HeaderValue>>
  /** Certificates for https. By default the ones that the runtime trusts. Cannot be used with `fetch`. */
  readonly tls?: TlsOptions
  /**
   * URL of an HTTP proxy, with its credentials if it requires them. No proxy by default. Cannot be used with `fetch`.
   * The command line reads the URL from `HTTPS_PROXY` and `HTTP_PROXY`, unless `NO_PROXY` has the host.
   */
  readonly proxy?: string
  /**
   * Sends a request: the global `fetch`, or a handler in the same process. By default the suite uses `node:http`, which
   * Node, Deno and Bun have.
   */
  readonly fetch?: Fetch
  /** Returns `size` random bytes. Uses `crypto` by default. */
  readonly random?: (size: number) => Uint8Array
  /** The clock that measures and waits. The system clock by default. Rules judge by `now` instead. */
  readonly clock?: Clock
  /** Called before the first request. Every animal that the run creates has the marker in its name. */
  readonly onStart?: (run: { readonly marker: string }) => void
  /** Called after each exchange, in the order of the transcript. */
  readonly onExchange?: (exchange: Exchange) => void
  /** Ends the run early. The current request is completed, no further request is sent, and waits end immediately. */
  readonly signal?: AbortSignal
}

/** The options with their defaults. */
export interface ResolvedOptions extends Omit<RunOptions, 'headers' | 'proxy'> {
  readonly profile: Profile
  readonly timeoutMs: number
  readonly headers: readonly ExtraHeader[]
  readonly tls: TlsOptions
  readonly proxy?: HttpProxy
  readonly random: (size: number) => Uint8Array
  readonly clock: Clock
}

/**
 * Validates the options and adds the defaults.
 *
 * @throws {TypeError} If an option is invalid. The message begins with the option's name and contains no key.
 */
export function readOptions({ headers, proxy, ...options }: RunOptions): ResolvedOptions {
  const {
    apiKey,
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
  const keyRequirement = 'must be visible ASCII characters without spaces'
  check(profiles.includes(profile), `profile must be one of ${profiles.join(', ')}`)
  check(plan === undefined || ratePlanNames.includes(plan), `plan must be one of ${ratePlanNames.join(', ')}`)
  check(isValidKey(apiKey), `apiKey ${keyRequirement}`)
  const missingOption = `throttleKey is required for the profile ${profile}: the suite uses up the limit of this key`
  check(throttleKey !== undefined || !exhaustsLimit(profile), missingOption)
  check(throttleKey === undefined || isValidKey(throttleKey), `throttleKey ${keyRequirement}`)
  check(throttleKey !== apiKey, 'throttleKey must differ from the API key, because the run uses up its limit')
  const isInt64 = categoryId === undefined || BigInt.asIntN(64, categoryId) === categoryId
  check(isInt64, 'categoryId must be an int64')
  checkCount('maxRequests', maxRequests ?? 1, maxExchanges)
  checkCount('timeoutMs', timeoutMs, maxTimerMs)
  check(pace === undefined || (Number.isFinite(pace) && pace > 0), 'pace must be a positive number')
  check(fetch === undefined || options.tls === undefined, 'tls and fetch cannot be used together')
  check(fetch === undefined || proxy === undefined, 'proxy and fetch cannot be used together')
  const pairRequirement = 'tls.clientCert and tls.clientKey must be set together'
  check((tls.clientCert === undefined) === (tls.clientKey === undefined), pairRequirement)
  const tlsProblem = findTlsProblem(tls)
  check(tlsProblem === undefined, `tls.${tlsProblem?.option} ${tlsProblem?.problem}`)
  check(!Number.isNaN(options.now?.getTime()), 'now must be a valid date')
  return {
    ...options,
    baseUrl: readBaseUrl(options.baseUrl),
    profile,
    timeoutMs,
    headers: readExtraHeaders(headers),
    tls,
    ...(proxy !== undefined && { proxy: parseProxy(proxy) }),
    random,
    clock: {
      now: () => clock.now(),
      elapsed: () => clock.elapsed(),
      sleep: (ms, reason) => clock.sleep(ms, reason, options.signal),
    },
  }
}

function readBaseUrl(text: string): string {
  check(URL.canParse(text), 'baseUrl must be an http or https URL such as https://api.example.com/v1')
  const url = new URL(text)
  check(/^https?:$/.test(url.protocol), 'baseUrl must be an http or https URL')
  check(
    url.username + url.password === '',
    'baseUrl must not contain credentials: the key is a separate option',
  )
  check(url.search + url.hash === '', 'baseUrl must not have a query or a fragment')
  return url.href.replace(/(?<!\/)\/+$/, '')
}

function isValidKey(key: unknown): boolean {
  return typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)
}

function checkCount(name: string, value: number, most: number): void {
  const isCount = Number.isSafeInteger(value) && value > 0 && value <= most
  check(isCount, `${name} must be an integer from 1 to ${most}`)
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new TypeError(message)
}
