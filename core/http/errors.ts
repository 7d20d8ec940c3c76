import { deepFreeze } from '../base/deep-freeze.ts'
import { isWholeNumber } from '../base/options.ts'

const errorTable = {
  invalid_request: {
    status: 400,
    message: 'The request is not valid HTTP. Check the request line, Host and framing.',
  },
  invalid_json: { status: 400, message: 'The body must be a JSON document in UTF-8.' },
  invalid_pet: { status: 400, message: 'The body is not a valid NewPet.' },
  invalid_parameter: { status: 400, message: 'A query parameter is invalid.' },
  missing_api_key: { status: 401, message: 'Send your API key: "Authorization: Bearer <API_KEY>".' },
  invalid_api_key: { status: 401, message: 'The API key is not valid. Check it, or request a new one.' },
  pet_not_found: { status: 404, message: 'There is no animal with this id.' },
  route_not_found: { status: 404, message: 'There is nothing at this path.' },
  method_not_allowed: { status: 405, message: 'The method is not allowed. Use one from the Allow header.' },
  request_timeout: { status: 408, message: 'The request took too long to arrive. Send it again.' },
  operation_removed: {
    status: 410,
    message: 'This operation was removed. Use GET /pets with the status filter.',
  },
  body_too_large: { status: 413, message: 'The body is too large.' },
  unsupported_media_type: {
    status: 415,
    message: 'Send application/json in UTF-8, without Content-Encoding.',
  },
  expectation_failed: { status: 417, message: 'Omit the Expect header, or send "Expect: 100-continue".' },
  rate_limit_exceeded: {
    status: 429,
    message: 'Too many requests. Wait as long as Retry-After specifies.',
  },
  api_key_banned: {
    status: 429,
    message: 'Banned for ignoring 429 responses. Wait as long as Retry-After specifies.',
  },
  headers_too_large: { status: 431, message: 'The headers are too large. Send fewer or shorter headers.' },
  internal_error: { status: 500, message: 'The service failed. Try again later.' },
  service_unavailable: {
    status: 503,
    message: 'The service is unavailable. Wait as long as Retry-After specifies.',
  },
  invalid_idempotency_key: {
    status: 400,
    message: 'Send one Idempotency-Key with 1 to 255 visible ASCII characters except " and \\.',
  },
  idempotency_key_in_use: {
    status: 409,
    message: 'A request with this Idempotency-Key is in progress. Wait as long as Retry-After specifies.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used with a different body. Send a new one.',
  },
} as const

/** @internal Statuses and messages by code. */
type Table = typeof errorTable

/** HTTP status and default message for an error code. */
export interface ErrorRow {
  /** HTTP status. */
  readonly status: number
  /** Message for responses without a more precise message. */
  readonly message: string
}

/** The `code` in an error response (spec 7). No other codes exist. */
export type ErrorCode = keyof Table

/**
 * All errors that the service returns (spec 7), by code.
 *
 * @example
 * import { errors } from 'pet-adoption-service'
 *
 * const { status, message } = errors.pet_not_found // 404, 'There is no animal with this id.'
 */
export const errors: Readonly<Record<ErrorCode, ErrorRow>> = deepFreeze(errorTable)

/**
 * Reads `code` from any value, also if its properties throw. Errors are identified by their code, because each copy of
 * this package has its own classes.
 */
function readCode(value: unknown): unknown {
  try {
    return (value as { code?: unknown } | null | undefined)?.code // `?.` handles null and undefined
  } catch {
    return undefined
  }
}

/**
 * An error response as a value: the request cannot be served, or a part has failed. Functions return it instead of
 * throwing it.
 *
 * @example
 * import { ApiError, parseNewPet } from 'pet-adoption-service'
 *
 * const pet = parseNewPet(new TextEncoder().encode('{"name":"Mia"}'))
 * if (pet instanceof ApiError) console.log(pet.status, pet.message) // 400, '… "categoryId" is required.'
 */
export class ApiError {
  /** The machine-readable code, a key of `errors`. */
  readonly code: ErrorCode
  /** The HTTP status that belongs to the code. */
  readonly status: number
  /** The message for people: what is wrong, and what to do next. */
  declare readonly message: string
  /** Additional response headers, as alternating names and values. */
  declare readonly rawHeaders: readonly string[]

  /**
   * Creates an error for a code.
   *
   * @param message - Replaces the code's default message.
   * @param rawHeaders - Additional response headers, as alternating names and values. None by default.
   */
  constructor(code: ErrorCode, message?: string, rawHeaders: readonly string[] = []) {
    const error = errors[code]
    this.code = code
    this.status = error.status
    this.message = message ?? error.message
    this.rawHeaders = rawHeaders
  }

  /**
   * Formats the error as the JSON body of its response (spec 2). Its `status` equals the HTTP status (spec 7, rule 1).
   */
  toJson(): string {
    return JSON.stringify({ code: this.code, message: this.message, status: this.status })
  }
}

/** Checks whether a value is an `ApiError`, also if it comes from another copy of the package. */
export function isApiError(value: unknown): value is ApiError {
  return !(value instanceof Error) && Object.hasOwn(errors, String(readCode(value)))
}

/** The codes that a `BodyError` can have. */
const bodyErrorCodes: readonly unknown[] = ['body_too_large', 'request_timeout', 'invalid_request']

/**
 * Thrown by `ServiceRequest.body` if the body cannot be read. The service responds with the error that has the same
 * code.
 *
 * @example
 * import { BodyError } from 'pet-adoption-service'
 *
 * export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
 *   const bytes = new Uint8Array(await request.arrayBuffer())
 *   if (bytes.length > maxBytes) throw new BodyError('body_too_large')
 *   return bytes
 * }
 */
export class BodyError extends Error {
  /** Name of the class, which is the same in every copy of the package. */
  override readonly name = 'BodyError'
  /** The error code in the response. */
  readonly code: 'body_too_large' | 'request_timeout' | 'invalid_request'

  /**
   * Creates an error for a body that cannot be read.
   *
   * @param options.cause - The error that prevented the body from being read.
   */
  constructor(code: BodyError['code'], options?: { cause?: unknown }) {
    super(code, options)
    this.code = code
  }
}

/** Checks whether a value is a `BodyError`, also if it comes from another copy of the package. */
export function isBodyError(cause: unknown): cause is BodyError {
  return cause instanceof Error && bodyErrorCodes.includes(readCode(cause))
}

/**
 * A mistake in the application's code that becomes visible when a request arrives. The message explains what to change.
 */
export class MisuseError extends TypeError {}

const defaultRetryAfterSeconds = 5

/** Options for `StoreUnavailableError` and `LimiterUnavailableError`. */
export interface UnavailableOptions {
  /** The error that made the part unavailable. `onError` receives it. Clients do not. */
  readonly cause?: unknown
  /** Seconds to send in `Retry-After`, an integer from 1. 5 by default. */
  readonly retryAfterSeconds?: number
}

/** @internal Thrown by a store or limiter while it cannot work. */
abstract class UnavailableError extends Error {
  /** Names the part that is unavailable. */
  abstract readonly code: 'store_unavailable' | 'limiter_unavailable'
  /** Seconds to send in `Retry-After`. */
  readonly retryAfterSeconds: number

  /** @param message - Describes the failure for operators. `onError` receives it. Clients do not. */
  constructor(
    message: string,
    { cause, retryAfterSeconds = defaultRetryAfterSeconds }: UnavailableOptions = {},
  ) {
    super(message, { cause })
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * Thrown by a pet store or key store while it cannot work. The service responds with 503 and `Retry-After`.
 *
 * @example
 * import { type PetStore, StoreUnavailableError } from 'pet-adoption-service'
 *
 * export const store: PetStore = {
 *   create() {
 *     throw new StoreUnavailableError('the disk is full', { retryAfterSeconds: 60 })
 *   },
 *   get: () => undefined,
 *   list: () => [],
 * }
 */
export class StoreUnavailableError extends UnavailableError {
  /** Name of the class, which is the same in every copy of the package. */
  override readonly name = 'StoreUnavailableError'
  /** Identifies the part that is unavailable. */
  readonly code = 'store_unavailable'
}

/**
 * Thrown by a rate limiter while it cannot decide. The service responds with 503 and `Retry-After`.
 *
 * @example
 * import { LimiterUnavailableError } from 'pet-adoption-service'
 *
 * export function fail(cause: unknown): never {
 *   throw new LimiterUnavailableError('the counter does not respond', { cause })
 * }
 */
export class LimiterUnavailableError extends UnavailableError {
  /** Name of the class, which is the same in every copy of the package. */
  override readonly name = 'LimiterUnavailableError'
  /** Identifies the part that is unavailable. */
  readonly code = 'limiter_unavailable'
}

/**
 * Checks whether an error means that a store or limiter is unavailable, also if it comes from another copy of the
 * package.
 */
export function isUnavailableError(cause: unknown): cause is StoreUnavailableError | LimiterUnavailableError {
  return findUnavailablePart(cause) !== undefined
}

/** Returns the part that an error reports as unavailable, or `undefined` for any other error. */
export function findUnavailablePart(cause: unknown): 'store' | 'limiter' | undefined {
  const errorCode = readCode(cause)
  return errorCode === 'store_unavailable'
    ? 'store'
    : errorCode === 'limiter_unavailable'
      ? 'limiter'
      : undefined
}

/**
 * Returns how many seconds to send in `Retry-After` if an error reports an unavailable part. Returns `undefined` for
 * any other error.
 */
export function readRetryAfterSeconds(cause: unknown): number | undefined {
  if (!isUnavailableError(cause)) return undefined
  const { retryAfterSeconds } = cause
  return isWholeNumber(retryAfterSeconds) ? retryAfterSeconds : defaultRetryAfterSeconds
}
