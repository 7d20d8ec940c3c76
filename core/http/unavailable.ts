import { brandOf, setBrand } from '../base/brand.ts'

/** The options of `StoreUnavailable` and `LimiterUnavailable`. */
export interface UnavailableOptions {
  /** The error behind this one. `onError` receives it; it is never sent to a client. */
  readonly cause?: unknown
  /** The number of seconds after which a client may try again, a whole number from 1; 5 by default. */
  readonly retryAfterSeconds?: number
}

/** A part that cannot work at the moment. The service responds with 503 and `Retry-After`. */
abstract class Unavailable extends Error {
  /** Whole seconds after which a client may try again. */
  readonly retryAfterSeconds: number

  /** `message` is for the operator: `onError` receives it, and no client does. */
  constructor(message: string, { cause, retryAfterSeconds = 5 }: UnavailableOptions = {}) {
    super(message, { cause })
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * Thrown by a store or a key store that cannot work at the moment. The service responds with 503 and `Retry-After`.
 *
 * @example
 * import { type PetStore, StoreUnavailable } from 'pet-adoption-service'
 *
 * export const store: PetStore = {
 *   create() {
 *     throw new StoreUnavailable('the disk is full', { retryAfterSeconds: 60 })
 *   },
 *   get: () => undefined,
 *   list: () => [],
 * }
 */
export class StoreUnavailable extends Unavailable {
  override readonly name = 'StoreUnavailable'
}

setBrand(StoreUnavailable, 'StoreUnavailable')

/**
 * Thrown by a limiter that cannot decide at the moment. The service responds with 503 and `Retry-After`.
 *
 * @example
 * import { LimiterUnavailable } from 'pet-adoption-service'
 *
 * export function fail(cause: unknown): never {
 *   throw new LimiterUnavailable('the counter does not respond', { cause })
 * }
 */
export class LimiterUnavailable extends Unavailable {
  override readonly name = 'LimiterUnavailable'
}

setBrand(LimiterUnavailable, 'LimiterUnavailable')

/** Whether a cause is a `StoreUnavailable` or a `LimiterUnavailable`, also one of another copy of this package. */
export function isUnavailable(cause: unknown): cause is StoreUnavailable | LimiterUnavailable {
  const brand = brandOf(cause)
  return brand === 'StoreUnavailable' || brand === 'LimiterUnavailable'
}

/** Returns the part that cannot work, if the cause is a `StoreUnavailable` or a `LimiterUnavailable`. */
export function unavailablePart(cause: unknown): 'store' | 'limiter' | undefined {
  if (!isUnavailable(cause)) return undefined
  return brandOf(cause) === 'StoreUnavailable' ? 'store' : 'limiter'
}
