import type { DigestKeyStore, KeyStore } from './auth.ts'
import { isOrigin } from './cors.ts'
import { defaultDeprecatedSince } from './deprecation.ts'
import type { ErrorContext, ResponseEvent } from './events.ts'
import { isObject } from './json.ts'
import type { RateLimiter } from './limits/bucket.ts'
import { type ClientReader, createClientReader, type TrustProxy } from './limits/client-address.ts'
import { createMemoryLimiter } from './limits/memory-limiter.ts'
import type { MaybePromise } from './maybe-promise.ts'
import { createMemoryStore } from './memory-store.ts'
import { defaultMaxNameLength } from './new-pet.ts'
import { type OperationId, operations } from './operations.ts'
import { checkOptionNames } from './option-names.ts'
import { isPetStatus, type NewPet, type PetStatus, petStatuses } from './pet.ts'
import type { PetStore } from './store.ts'

/** The options of `createPetService`. Only `keys` is required. */
export interface ServiceOptions {
  /** Looks up API keys (spec 5): `createKeyStore(…)`, or an object with `find`. */
  readonly keys: KeyStore
  /** Stores the animals; `createMemoryStore()` by default. */
  readonly store?: PetStore
  /** Counts requests (spec 8); `createMemoryLimiter()` by default. */
  readonly limiter?: RateLimiter
  /** The path prefix of the base address, without a slash at its end; `/v1` by default (spec 1). */
  readonly basePath?: string
  /** Returns the milliseconds since the epoch; `Date.now` by default. */
  readonly clock?: () => number
  /** The status of an animal that is added without one; `available` by default, `null` for none. */
  readonly defaultStatus?: PetStatus | null
  /** Returns the problems of a valid NewPet, in words for the client; an empty list for none. No further checks by default. */
  readonly validate?: (pet: NewPet) => MaybePromise<readonly string[]>
  /** The longest body, in bytes, from 1; 65,536 by default. */
  readonly maxBodyBytes?: number
  /** The longest name, in characters (Unicode code points), from 1; 1,000 by default, `null` for any length. */
  readonly maxNameLength?: number | null
  /** The trusted proxies, whose `X-Forwarded-For` counts; none by default. */
  readonly trustProxy?: TrustProxy
  /** The time from which getPet is deprecated, in Unix seconds; 2026-11-20 by default. Not after its removal. */
  readonly deprecatedSince?: number
  /** `automatic` (the default): getPet returns 410 from 5 December 2030. `manual`: it continues until you remove it. */
  readonly removal?: 'automatic' | 'manual'
  /** The stability markers of the OpenAPI description (spec 9.3); none by default. */
  readonly stability?: Readonly<Partial<Record<OperationId, 'experimental' | 'beta'>>>
  /**
   * The origins whose pages may send requests from a browser, such as `https://example.com`; `'*'` for all, none by default.
   * Credentials of the browser are never allowed: a page sends the key itself.
   */
  readonly cors?: readonly string[] | '*'
  /** Returns the next value of `X-Request-Id`, in printable ASCII characters. No such header by default. */
  readonly requestId?: () => string
  /** Receives an event for every response. No function by default. */
  readonly onResponse?: (event: ResponseEvent) => void
  /** Receives the cause of every 500 and 503, and errors of the other hooks. Clients never see it. No function by default. */
  readonly onError?: (cause: unknown, context: ErrorContext) => void
}

/** The options, checked and with their defaults. */
export interface Settings
  extends Required<
      Omit<
        ServiceOptions,
        'keys' | 'cors' | 'trustProxy' | 'requestId' | 'onResponse' | 'validate' | 'onError'
      >
    >,
    Pick<ServiceOptions, 'requestId' | 'onResponse' | 'validate'> {
  readonly keys: KeyStore & Partial<DigestKeyStore>
  readonly cors: readonly string[]
  readonly readClient: ClientReader
  readonly onError: (cause: unknown, context: ErrorContext) => void
}

/** The options that show in the OpenAPI description. */
export type DescribedOptions = Pick<
  ServiceOptions,
  | 'basePath'
  | 'defaultStatus'
  | 'maxBodyBytes'
  | 'maxNameLength'
  | 'deprecatedSince'
  | 'removal'
  | 'stability'
>

/** Their defaults. */
export const describedDefaults: Readonly<Required<DescribedOptions>> = {
  basePath: '/v1',
  defaultStatus: 'available',
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
export function readOptions(options: ServiceOptions): Settings {
  checkServiceOptionNames(options)
  const settings: Settings = {
    ...describedDefaults,
    store: createMemoryStore(),
    limiter: createMemoryLimiter({ clock: options.clock ?? Date.now }),
    clock: Date.now,
    onError: () => {},
    ...withoutUndefined(options),
    cors: options.cors === '*' ? ['*'] : (options.cors ?? []),
    readClient: createClientReader(options.trustProxy),
  }
  for (const [name, [isValid, expected]] of Object.entries(checks)) {
    if (!isValid(settings[name as keyof typeof checks]))
      throw new TypeError(`options.${name} must be ${expected}`)
  }
  return settings
}

/** Checks that a service has every option that is given. */
export function checkServiceOptionNames(options: object): void {
  checkOptionNames(options, [...Object.keys(checks), 'trustProxy'])
}

/** Returns the options without those that are undefined, which count as left out. */
export function withoutUndefined<T extends object>(options: T): T {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as T // only undefined members are gone
}

type Check = readonly [isValid: (value: unknown) => boolean, expected: string]

const isFunction = (value: unknown) => typeof value === 'function'
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 1
const isAbsentOrFunction = (value: unknown) => value === undefined || isFunction(value)
const has =
  (...methods: string[]) =>
  (value: unknown) =>
    isObject(value) && methods.every((method) => isFunction(value[method]))
const lastRemoval =
  Math.min(...operations.map(({ deprecated }) => deprecated?.removal ?? Number.POSITIVE_INFINITY)) / 1000

const checks = {
  keys: [has('find'), 'a KeyStore, with find(token)'],
  store: [has('create', 'get', 'list'), 'a PetStore, with create, get and list'],
  limiter: [has('consume', 'peek'), 'a RateLimiter, with consume and peek'],
  basePath: [
    (value) => typeof value === 'string' && /^(?:\/[\w\-.~]+)*$/.test(value),
    'a path such as "/v1"',
  ],
  clock: [isFunction, 'a function that returns milliseconds since the epoch'],
  defaultStatus: [
    (value) => value === null || isPetStatus(value),
    `null or one of ${petStatuses.join(', ')}`,
  ],
  maxBodyBytes: [isCount, 'a whole number from 1'],
  maxNameLength: [(value) => value === null || isCount(value), 'null or a whole number from 1'],
  deprecatedSince: [
    (value) => Number.isSafeInteger(value) && Number(value) <= lastRemoval,
    'whole Unix seconds, not after the removal',
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
    'an object from operation ids to "experimental" or "beta"',
  ],
  cors: [
    (value) => Array.isArray(value) && value.every(isOrigin),
    '"*" or a list of origins such as "https://example.com"',
  ],
  validate: [isAbsentOrFunction, 'a function'],
  requestId: [isAbsentOrFunction, 'a function'],
  onResponse: [isAbsentOrFunction, 'a function'],
  onError: [isFunction, 'a function'],
} as const satisfies Partial<Record<keyof Settings, Check>>
