import { isObject } from '../base/json.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import {
  aFunction,
  anyValue,
  checkOptions,
  dropUndefined,
  isWholeNumber,
  type OptionRule,
  readClock,
} from '../base/options.ts'
import { isOrigin } from '../http/cors.ts'
import type { Caller, KeyStore } from '../keys/auth.ts'
import type { RateLimiter } from '../limits/bucket.ts'
import {
  type ClientReader,
  createClientReader,
  type TrustProxy,
  trustProxyRule,
} from '../limits/client-address.ts'
import { createMemoryLimiter } from '../limits/memory-limiter.ts'
import { type PlanOptions, readLimits } from '../limits/plans.ts'
import { defaultDeprecatedSince } from '../operations/deprecation.ts'
import { type OperationId, operations } from '../operations/index.ts'
import { type IdempotencyOptions, isIdempotencyOptions } from '../pets/idempotency.ts'
import { createMemoryStore } from '../pets/memory-store.ts'
import { defaultMaxNameLength } from '../pets/new-pet.ts'
import { isPetStatus, type NewPet, type PetStatus, petStatuses } from '../pets/pet.ts'
import type { PetStore } from '../pets/store.ts'
import type { ErrorContext, ResponseEvent } from './events.ts'

/** The options of `createPetService`. Only `keys` is required. */
export interface ServiceOptions<Found extends Caller = Caller> {
  /** Looks up API keys (spec 5): `createKeyStore(…)`, or an object with `find`. */
  readonly keys: KeyStore<Found>
  /** Stores the animals; `createMemoryStore()` by default. */
  readonly store?: PetStore
  /**
   * Requests per minute and per day by plan (spec 8), whole numbers from 1 to 100,000,000. The defaults
   * are in `plans`; an `anonymous` client has the numbers of `free`. The `limits` of a caller take precedence.
   */
  readonly plans?: Partial<PlanOptions>
  /** Counts requests (spec 8); `createMemoryLimiter()` by default. */
  readonly limiter?: RateLimiter
  /** The path prefix of the base URL, without a slash at its end; `/v1` by default (spec 1). */
  readonly basePath?: string
  /** Returns the milliseconds since the epoch; `Date.now` by default. */
  readonly clock?: () => number
  /** The status of an animal that is created without one; `available` by default, `null` for none. */
  readonly defaultStatus?: PetStatus | null
  /**
   * Returns the problems of a valid NewPet, which has its default status, in words for the client; an empty list for
   * none. No further checks by default. It is not called for a creation that is sent again.
   */
  readonly validate?: (pet: NewPet) => MaybePromise<readonly string[]>
  /**
   * Lifetime of idempotency keys: `{ keepMs }`, in milliseconds from 1; 24 hours by
   * default. `false`, or a store without `createOnce`: the header is ignored.
   */
  readonly idempotency?: IdempotencyOptions | false
  /** Maximum length of a body, in bytes, from 1; 65,536 by default. */
  readonly maxBodyBytes?: number
  /** Maximum length of a name, in characters (Unicode code points), from 1; 1,000 by default, `null` for any length. */
  readonly maxNameLength?: number | null
  /** The trusted proxies, whose `X-Forwarded-For` counts; none by default. */
  readonly trustProxy?: TrustProxy
  /** The time of the deprecation of getPet, in Unix seconds; 2026-11-20 by default. Not after its removal. */
  readonly deprecatedSince?: number
  /** `automatic` (the default): getPet returns 410 from 5 December 2030. `manual`: it continues until you remove it. */
  readonly removal?: 'automatic' | 'manual'
  /** The stability markers of the OpenAPI description (spec 9.3); none by default. */
  readonly stability?: Readonly<Partial<Record<OperationId, 'experimental' | 'beta'>>>
  /**
   * The origins whose pages may send requests from a browser, such as `https://example.com`; `'*'` for all, none by
   * default. Credentials of the browser are never allowed: a page sends the key itself.
   */
  readonly cors?: readonly string[] | '*'
  /** Returns the next value of `X-Request-Id`, in printable ASCII characters. No such header by default. */
  readonly requestId?: () => string
  /** Receives an event for every response of the service. No function by default. */
  readonly onResponse?: (event: ResponseEvent) => void
  /**
   * Receives the cause of every 500 and 503, and errors of the other hooks. Clients never see it. By default, each
   * mistake of the embedder that only a request shows causes one warning of the process, or on the console.
   */
  readonly onError?: (cause: unknown, context: ErrorContext) => void
}

/** Functions of the embedder that have no default. */
type Hook = 'requestId' | 'onResponse' | 'validate' | 'onError'

/** The options, checked and with their defaults. */
export interface ServiceSettings
  extends Required<Omit<ServiceOptions, 'keys' | 'plans' | 'cors' | 'trustProxy' | Hook>>,
    Pick<ServiceOptions, Hook> {
  readonly keys: KeyStore
  readonly cors: readonly string[]
  readonly readClient: ClientReader
  /** The limits of each plan, in the form that limiters use. */
  readonly limits: ReturnType<typeof readLimits>
}

type Described =
  | 'basePath'
  | 'defaultStatus'
  | 'idempotency'
  | 'maxBodyBytes'
  | 'maxNameLength'
  | 'deprecatedSince'
  | 'removal'
  | 'stability'

/** The defaults of the options that the OpenAPI description shows, except the plans and the store. */
export const describedDefaults: Readonly<Required<Pick<ServiceOptions, Described>>> = {
  basePath: '/v1',
  defaultStatus: 'available',
  idempotency: {},
  maxBodyBytes: 65_536,
  maxNameLength: defaultMaxNameLength,
  deprecatedSince: defaultDeprecatedSince,
  removal: 'automatic',
  stability: {},
}

/**
 * Checks the options of a service, and fills in the defaults.
 *
 * @throws {TypeError} An option is invalid or unknown; the message names it.
 */
export function readServiceOptions(options: ServiceOptions): ServiceSettings {
  // In JavaScript, `keys` or all options may be missing. Its rule rejects null, while undefined counts as absent.
  checkServiceOptions({ ...options, keys: options?.keys ?? null })
  const { plans, ...others } = options
  const clock = readClock(others.clock)
  return {
    ...describedDefaults,
    store: createMemoryStore(),
    limiter: createMemoryLimiter({ clock }),
    ...dropUndefined(others),
    clock,
    cors: others.cors === '*' ? ['*'] : (others.cors ?? []),
    readClient: createClientReader(others.trustProxy),
    limits: readLimits(plans),
  }
}

/** Checks the given options, except those whose reader checks them. */
export function checkServiceOptions(options: object): void {
  checkOptions(options, rules)
}

const hasMethods = (value: unknown, ...methods: string[]) =>
  isObject(value) && methods.every((method) => typeof value[method] === 'function')
const rules: Readonly<Record<keyof ServiceOptions, OptionRule>> = {
  keys: [(value) => hasMethods(value, 'find'), 'a KeyStore, with find'],
  store: [
    (value) =>
      hasMethods(value, 'create', 'get', 'list') &&
      (!hasMethods(value, 'createOnce') || hasMethods(value, 'findCreated')),
    'a PetStore, with create, get, list; findCreated with createOnce',
  ],
  limiter: [(value) => hasMethods(value, 'consume', 'peek'), 'a RateLimiter, with consume, peek'],
  basePath: [
    (value) => typeof value === 'string' && /^(?:\/[\w\-.~]+)*$/.test(value),
    'a path such as "/v1"',
  ],
  defaultStatus: [
    (value) => value === null || isPetStatus(value),
    `null or one of ${petStatuses.join(', ')}`,
  ],
  idempotency: [isIdempotencyOptions, 'false or { keepMs }, a whole number from 1'],
  maxBodyBytes: [(value) => isWholeNumber(value), 'a whole number from 1'],
  maxNameLength: [(value) => value === null || isWholeNumber(value), 'null or a whole number from 1'],
  deprecatedSince: [
    (value) =>
      Number.isSafeInteger(value) &&
      !operations.some(({ deprecated }) => deprecated && Number(value) * 1000 > deprecated.removal),
    'Unix seconds before the removal',
  ],
  removal: [(value) => value === 'automatic' || value === 'manual', '"automatic" or "manual"'],
  stability: [
    (value) =>
      isObject(value) &&
      Object.entries(value).every(
        ([id, marker]) =>
          operations.some((operation) => operation.id === id) &&
          (marker === 'experimental' || marker === 'beta'),
      ),
    '"experimental" or "beta" by operation id',
  ],
  cors: [
    (value) => value === '*' || (Array.isArray(value) && value.every(isOrigin)),
    '"*" or origins such as "https://example.com"',
  ],
  validate: aFunction,
  requestId: aFunction,
  onResponse: aFunction,
  onError: aFunction,
  clock: anyValue,
  plans: [isObject, 'an object'],
  trustProxy: trustProxyRule,
}
