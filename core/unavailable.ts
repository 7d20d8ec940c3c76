/** A part that cannot answer for now: its caller gets a 503 with `Retry-After`. */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable'
  /** Whole seconds after which a caller may try again. */
  readonly retryAfterSeconds: number

  /** `retryAfterSeconds` is 5 by default; `cause` is for the operator, never for the caller. */
  constructor(message: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message, { cause: options.cause })
    this.retryAfterSeconds = options.retryAfterSeconds ?? 5
  }
}

/** The store cannot answer for now. */
export class StoreUnavailable extends Unavailable {
  override readonly name = 'StoreUnavailable'
}

/** The rate limiter cannot decide for now. */
export class LimiterUnavailable extends Unavailable {
  override readonly name = 'LimiterUnavailable'
}
