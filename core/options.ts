import type { KeyStore } from './auth.ts'
import { type ClientReader, createClientReader, type TrustProxy } from './client.ts'
import { defaultDeprecatedSince } from './deprecation.ts'
import type { AnswerEvent } from './events.ts'
import type { MaybePromise } from './maybe-promise.ts'
import { createMemoryLimiter } from './memory-limiter.ts'
import { createMemoryStore } from './memory-store.ts'
import { type OperationId, operations } from './operations.ts'
import { isPetStatus, type NewPet, type PetStatus, petStatuses } from './pet.ts'
import type { RateLimiter } from './rate-limit.ts'
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
  /** Which proxies are believed in `X-Forwarded-For`; none by default. */
  readonly trustProxy?: TrustProxy
  /** Since when getPet is deprecated, in Unix seconds; 2026-11-20 by default. Not after its removal. */
  readonly deprecatedSince?: number
  /** `automatic` (the default): getPet answers 410 from 5 December 2030 on; `manual`: it goes on until you remove it. */
  readonly removal?: 'automatic' | 'manual'
  /** Stability markers, for the OpenAPI description (spec 9.3); none by default. */
  readonly stability?: Readonly<Partial<Record<OperationId, 'experimental' | 'beta'>>>
  /** Names each request in `X-Request-Id` and in `onAnswer`; no such header by default. */
  readonly requestId?: () => string
  /** Told of every answer, once it is decided. Nothing by default. */
  readonly onAnswer?: (event: AnswerEvent) => void
  /** Told the cause of every 500 and 503: callers never are. Nothing by default. */
  readonly onError?: (cause: unknown) => void
}
