import { isObject } from '../base/json.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import {
  anyValueRule,
  checkOptions,
  createClock,
  dropUndefined,
  functionRule,
  isWholeNumber,
  type OptionRule,
} from '../base/options.ts'
import { type Cors, type CorsOptions, createCors, isCorsOption } from '../http/cors.ts'
import type { ServiceRequest } from '../http/http.ts'
import type { Caller, KeyStore } from '../keys/auth.ts'
import type { RateLimiter } from '../limits/bucket.ts'
import {
  type ClientAddressReader,
  createClientAddressReader,
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

/** Options for `createPetService`. Only `keys` is required. */
export interface ServiceOptions<Found extends Caller = Caller> {
  /** Finds the caller that an API key belongs to (spec 5): `createKeyStore(…)`, or an object with `find`. */
  readonly keys: KeyStore<Found>
  /** Stores the animals. `createMemoryStore()` by default. */
  readonly store?: PetStore
  /**
   * Rate limits for each plan and for anonymous clients (spec 8), integers from 1 to 100,000,000. The defaults are in
   * `plans`. Anonymous clients have the same limits as the plan `free` by default. A caller's own `limits` take
   * precedence.
   */
  readonly plans?: Partial<PlanOptions>
  /** The rate limiter (spec 8). `createMemoryLimiter()` by default, which counts only the requests to this process. */
  readonly limiter?: RateLimiter
  /**
   * The path that all routes begin with, without a slash at the end (spec 1). `/v1` by default. The empty string means
   * that routes begin at `/`.
   */
  readonly basePath?: string
  /** Returns the time in milliseconds since the epoch. `Date.now` by default. */
  readonly clock?: () => number
  /** Status for new animals that have none. `available` by default. With `null`, they stay without a status. */
  readonly defaultStatus?: PetStatus | null
  /**
   * Validates an animal that has its default status. Returns its problems as strings, which the client receives in a
   * 400, or an empty array if it is valid. A repeated creation is not validated again. By default, there are no further
   * checks.
   */
  readonly validate?: (pet: NewPet) => MaybePromise<readonly string[]>
  /**
   * How long idempotency keys are remembered: `{ ttlMs }` in milliseconds, 24 hours by default. With `false`, or a
   * store without `createOnce`, the header `Idempotency-Key` is ignored.
   */
  readonly idempotency?: IdempotencyOptions | false
  /** Maximum request body length in bytes, an integer from 1. 65,536 by default. */
  readonly maxBodyBytes?: number
  /** Maximum name length in characters (code points), an integer from 1. 1,000 by default, `null` for no limit. */
  readonly maxNameLength?: number | null
  /** The proxies whose `X-Forwarded-For` is trusted: their number, or their networks. None by default. */
  readonly trustProxy?: TrustProxy
  /**
   * Time when `getPet` was deprecated, in seconds since the epoch. 2026-11-20 by default, and not after its removal.
   * Responses have it in `Deprecation`.
   */
  readonly deprecatedSince?: number
  /**
   * What `getPet` does from its removal date, 5 December 2030. With `automatic`, the default, it responds with 410.
   * With `manual`, it continues to work.
   */
  readonly removal?: 'automatic' | 'manual'
  /** Operations that may still change, and are marked in the OpenAPI description (spec 9.3). None by default. */
  readonly stability?: Readonly<Partial<Record<OperationId, 'experimental' | 'beta'>>>
  /**
   * The web pages that may call the service from a browser: their origins, such as `https://example.com`, or `*` for
   * all. {@link CorsOptions} also adds headers for the application's own routes. None by default. Browser credentials
   * are never allowed, because pages send the API key themselves.
   */
  readonly cors?: readonly string[] | '*' | CorsOptions
  /**
   * Returns the `X-Request-Id` for a response, in printable ASCII. Responses have no such header by default. If a
   * request could not be parsed, its method and target are empty.
   */
  readonly requestId?: (request: ServiceRequest) => string
  /** Called with each response before it is sent. */
  readonly onResponse?: (event: ResponseEvent) => void
  /**
   * Called with the error behind each 500 and 503, and with errors in other hooks. Clients never see the cause. By
   * default, each different error is printed once as a process warning, or on the console, up to 20 errors per service.
   */
  readonly onError?: (cause: unknown, context: ErrorContext) => void
}

type HookName = 'requestId' | 'onResponse' | 'validate' | 'onError'

/** The validated options, with their defaults. */
export interface ServiceSettings
  extends Required<Omit<ServiceOptions, 'keys' | 'plans' | 'cors' | 'trustProxy' | HookName>>,
    Pick<ServiceOptions, HookName> {
  readonly keys: KeyStore
  readonly cors: Cors | undefined
  readonly readClientAddress: ClientAddressReader
  /** Rate limits for each plan and for anonymous clients. */
  readonly limits: ReturnType<typeof readLimits>
}

type DescribedOption =
  | 'basePath'
  | 'defaultStatus'
  | 'idempotency'
  | 'maxBodyBytes'
  | 'maxNameLength'
  | 'deprecatedSince'
  | 'removal'
  | 'stability'

/** Defaults for the options that the OpenAPI description shows. */
export const describedDefaults: Readonly<Required<Pick<ServiceOptions, DescribedOption>>> = {
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
 * Validates the options and fills in the defaults.
 *
 * @throws {TypeError} If an option is unknown or invalid, or `keys` is missing.
 */
export function readServiceOptions(options: ServiceOptions): ServiceSettings {
  // An option that is `undefined` counts as absent, so a missing `keys` becomes `null`, which its rule rejects.
  checkServiceOptions({ ...options, keys: options?.keys ?? null })
  const { plans, ...others } = options
  const clock = createClock(others.clock)
  return {
    ...describedDefaults,
    store: createMemoryStore(),
    limiter: createMemoryLimiter({ clock }),
    ...dropUndefined(others),
    clock,
    cors: createCors(others.cors),
    readClientAddress: createClientAddressReader(others.trustProxy),
    limits: readLimits(plans),
  }
}

/**
 * Validates options. Any option may be missing, even `keys`.
 *
 * @throws {TypeError} If an option is unknown or invalid.
 */
export function checkServiceOptions(options: object): void {
  checkOptions(options, optionRules)
}

const hasMethods = (value: unknown, ...methods: string[]) =>
  isObject(value) && methods.every((method) => typeof value[method] === 'function')
const optionRules: Readonly<Record<keyof ServiceOptions, OptionRule>> = {
  keys: [(value) => hasMethods(value, 'find'), 'a KeyStore with find'],
  store: [
    (value) =>
      hasMethods(value, 'create', 'get', 'list') &&
      (!hasMethods(value, 'createOnce') || hasMethods(value, 'findCreated')),
    'a PetStore with create, get and list, and with findCreated if it has createOnce',
  ],
  limiter: [(value) => hasMethods(value, 'consume', 'peek'), 'a RateLimiter with consume and peek'],
  basePath: [
    (value) => typeof value === 'string' && /^(?:\/[\w\-.~]+)*$/.test(value),
    'a path such as "/v1"',
  ],
  defaultStatus: [
    (value) => value === null || isPetStatus(value),
    `null or one of ${petStatuses.join(', ')}`,
  ],
  idempotency: [isIdempotencyOptions, 'false, or { ttlMs } with a positive integer'],
  maxBodyBytes: [(value) => isWholeNumber(value), 'a positive integer'],
  maxNameLength: [(value) => value === null || isWholeNumber(value), 'null or a positive integer'],
  deprecatedSince: [
    (value) =>
      Number.isSafeInteger(value) &&
      !operations.some(({ deprecated }) => deprecated && Number(value) * 1000 > deprecated.removal),
    'a time in Unix seconds before the removal date',
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
    'an object with "experimental" or "beta" by operation id',
  ],
  cors: [isCorsOption, '"*" or origins, or { origins, allowedHeaders, exposedHeaders }'],
  validate: functionRule,
  requestId: functionRule,
  onResponse: functionRule,
  onError: functionRule,
  clock: anyValueRule,
  plans: [isObject, 'an object'],
  trustProxy: trustProxyRule,
}
