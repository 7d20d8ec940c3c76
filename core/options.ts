import type { KeyStore } from './auth.ts'
import { isOrigin } from './cors.ts'
import { defaultDeprecatedSince } from './deprecation.ts'
import type { ErrorContext, ResponseEvent } from './events.ts'
import type { RateLimiter } from './limits/bucket.ts'
import { type ClientReader, createClientReader, type TrustProxy } from './limits/client-address.ts'
import { createMemoryLimiter } from './limits/memory-limiter.ts'
import type { MaybePromise } from './maybe-promise.ts'
import { createMemoryStore } from './memory-store.ts'
import { defaultMaxNameLength } from './new-pet.ts'
import { isObject } from './object.ts'
import { type OperationId, operations } from './operations.ts'
import { isPetStatus, type NewPet, type PetStatus, petStatuses } from './pet.ts'
import type { PetStore } from './store.ts'

/** How a service is set up. Only `keys` has no default. */
export interface ServiceOptions {
  /** Where keys are looked up (spec 5). */
  readonly keys: KeyStore
  /** Where the animals are kept; in memory by default. */
  readonly store?: PetStore
  /** What counts requests (spec 8); in memory by default. */
  readonly limiter?: RateLimiter
  /** The path prefix of the base address, without a slash at its end: `/v1` by default (spec 1). */
  readonly basePath?: string
  /** Milliseconds since the epoch; `Date.now` by default. */
  readonly clock?: () => number
  /** The status of an animal that is added without one: `available` by default, `null` for none. */
  readonly defaultStatus?: PetStatus | null
  /** Further checks of a valid NewPet: what is wrong with it, in words for the caller; empty for nothing. None by default. */
  readonly validate?: (pet: NewPet) => MaybePromise<readonly string[]>
  /** How long a body may be, in bytes; 65,536 by default. */
  readonly maxBodyBytes?: number
  /** How many characters (Unicode code points) a name may have, from 1; 1,000 by default, `null` for any number. */
  readonly maxNameLength?: number | null
  /** Which proxies are believed in `X-Forwarded-For`; none by default. */
  readonly trustProxy?: TrustProxy
  /** Since when getPet is deprecated, in Unix seconds; 2026-11-20 by default. Not after its removal. */
  readonly deprecatedSince?: number
  /** `automatic` (the default): getPet answers 410 from 5 December 2030 on; `manual`: it goes on until you remove it. */
  readonly removal?: 'automatic' | 'manual'
  /** Stability markers, for the OpenAPI description (spec 9.3); none by default. */
  readonly stability?: Readonly<Partial<Record<OperationId, 'experimental' | 'beta'>>>
  /**
   * The origins whose pages may call from a browser, such as `https://example.com`; `*` stands for all. None by default.
   * Credentials are never allowed: a page sends the key itself.
   */
  readonly cors?: readonly string[]
  /** Names each request in `X-Request-Id` and in `onResponse`; no such header by default. */
  readonly requestId?: () => string
  /** Told of every answer, once it is decided. Nothing by default. */
  readonly onResponse?: (event: ResponseEvent) => void
  /** Told the cause of every 500 and 503: callers never are. Nothing by default. */
  readonly onError?: (cause: unknown, context: ErrorContext) => void
}

/** Options, checked and with their defaults. */
export interface Settings
  extends Required<Omit<ServiceOptions, 'trustProxy' | 'requestId' | 'onResponse' | 'validate' | 'onError'>>,
    Pick<ServiceOptions, 'requestId' | 'onResponse' | 'validate'> {
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

/** Throws a `TypeError` that names the first bad option and what it must be. */
export function readOptions(options: ServiceOptions): Settings {
  const settings: Settings = {
    ...describedDefaults,
    store: createMemoryStore(),
    limiter: createMemoryLimiter({ clock: options.clock ?? Date.now }),
    clock: Date.now,
    cors: [],
    onError: () => {},
    ...withoutUndefined(options),
    readClient: createClientReader(options.trustProxy),
  }
  for (const [name, [isValid, expected]] of Object.entries(checks)) {
    if (!isValid(settings[name as keyof typeof checks]))
      throw new TypeError(`options.${name} must be ${expected}`)
  }
  return settings
}

/** An option that is given as undefined counts as left out. */
export function withoutUndefined<T extends object>(options: T): T {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as T // only undefined members are gone
}

type Check = readonly [isValid: (value: unknown) => boolean, expected: string]

const isFunction = (value: unknown) => typeof value === 'function'
const isAbsentOrFunction = (value: unknown) => value === undefined || isFunction(value)
const has =
  (...methods: string[]) =>
  (value: unknown) =>
    isObject(value) && methods.every((method) => isFunction(value[method]))
const lastRemoval =
  Math.min(...operations.map(({ deprecated }) => deprecated?.removal ?? Number.POSITIVE_INFINITY)) / 1000

const checks = {
  keys: [has('find'), 'a KeyStore: an object with find(token), such as createKeyStore makes'],
  store: [has('create', 'get', 'list'), 'a PetStore: an object with create, get and list'],
  limiter: [has('consume', 'peek'), 'a RateLimiter: an object with consume and peek'],
  basePath: [
    (value) => typeof value === 'string' && /^(?:\/[\w\-.~]+)*$/.test(value),
    'a path such as "/v1", without a slash at its end',
  ],
  clock: [isFunction, 'a function that tells the milliseconds since the epoch'],
  defaultStatus: [
    (value) => value === null || isPetStatus(value),
    `null or one of ${petStatuses.join(', ')}`,
  ],
  maxBodyBytes: [
    (value) => Number.isSafeInteger(value) && Number(value) >= 1,
    'a whole number of bytes from 1',
  ],
  maxNameLength: [
    (value) => value === null || (Number.isSafeInteger(value) && Number(value) >= 1),
    'null or a whole number of characters from 1',
  ],
  deprecatedSince: [
    (value) => Number.isSafeInteger(value) && Number(value) <= lastRemoval,
    'whole Unix seconds, not after the removal on 5 December 2030',
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
    'a list of origins such as "https://example.com", without a path, or "*" for all',
  ],
  validate: [isAbsentOrFunction, 'a function'],
  requestId: [isAbsentOrFunction, 'a function'],
  onResponse: [isAbsentOrFunction, 'a function'],
  onError: [isFunction, 'a function'],
} as const satisfies Partial<Record<keyof Settings, Check>>
