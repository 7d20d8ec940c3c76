import { deepFreeze } from '../base/deep-freeze.ts'
import { isWholeNumber } from '../base/options.ts'

const table = {
  invalid_request: {
    status: 400,
    message: 'This is not valid HTTP: check the request line, Host and framing.',
  },
  invalid_json: { status: 400, message: 'The body must be a JSON document in UTF-8.' },
  invalid_pet: { status: 400, message: 'The body is not a valid NewPet.' },
  invalid_parameter: { status: 400, message: 'A query parameter is invalid.' },
  missing_api_key: { status: 401, message: 'Send your key: "Authorization: Bearer <API_KEY>".' },
  invalid_api_key: { status: 401, message: 'The key is not valid: check it, or ask for a new one.' },
  pet_not_found: { status: 404, message: 'There is no animal with this id.' },
  route_not_found: { status: 404, message: 'Nothing is at this path.' },
  method_not_allowed: { status: 405, message: 'Use a method that the Allow header lists.' },
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
  expectation_failed: { status: 417, message: 'Send no Expect, or "Expect: 100-continue".' },
  rate_limit_exceeded: { status: 429, message: 'Too many requests. Wait for the seconds in Retry-After.' },
  api_key_banned: {
    status: 429,
    message: 'Banned for requests after a 429. Wait for the seconds in Retry-After.',
  },
  headers_too_large: { status: 431, message: 'Send fewer or shorter headers.' },
  internal_error: { status: 500, message: 'The service failed. Try again later.' },
  service_unavailable: {
    status: 503,
    message: 'The service is unavailable. Wait for the seconds in Retry-After.',
  },
  invalid_idempotency_key: {
    status: 400,
    message: 'Send one Idempotency-Key: 1 to 255 visible ASCII characters other than " and \\.',
  },
  idempotency_key_in_use: {
    status: 409,
    message: 'This Idempotency-Key is in use. Wait for the seconds in Retry-After.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key came with another body. Send a new one.',
  },
} as const

/** @internal The statuses and messages by code. */
type Table = typeof table

/** The facts about an error code. */
export interface ErrorRow {
  /** The HTTP status. */
  readonly status: number
  /** The message that is sent if there is no more precise one. */
  readonly message: string
}

/** The `code` of an Error (spec 7), a closed set. */
export type ErrorCode = keyof Table

/**
 * Every error of the interface (spec 7), by its code: the status, and the message that is sent if there is no more
 * precise one.
 *
 * @example
 * import { errors } from 'pet-adoption-service'
 *
 * const { status, message } = errors.pet_not_found // 404, 'There is no animal with this id.'
 */
export const errors: Readonly<Record<ErrorCode, ErrorRow>> = deepFreeze(table)

/** Returns the `code` of a value. It identifies errors, because classes differ between copies of this package. */
function readCode(value: unknown): unknown {
  try {
    return (value as { code?: unknown } | null | undefined)?.code // whatever the value is, reading is safe
  } catch {
    return undefined
  }
}

/**
 * An error response as a value: a request that cannot be served, or a part that failed. It is returned, not thrown.
 *
 * @example
 * import { ApiError, parseNewPet } from 'pet-adoption-service'
 *
 * const pet = parseNewPet(new TextEncoder().encode('{"name":"Mia"}'))
 * if (pet instanceof ApiError) console.log(pet.status, pet.message) // 400, '… "categoryId" is required.'
 */
export class ApiError {
  /** Machine-readable: one of `errors`. */
  readonly code: ErrorCode
  /** The HTTP status. */
  readonly status: number
  /** The problem and what to do next, for a person. */
  declare readonly message: string
  /** The headers that this error adds to a response: names and values, alternating. */
  declare readonly rawHeaders: readonly string[]

  /** `message` is the message of the code by default; `rawHeaders` is empty by default. */
  constructor(code: ErrorCode, message?: string, rawHeaders: readonly string[] = []) {
    const error = errors[code]
    this.code = code
    this.status = error.status
    this.message = message ?? error.message
    this.rawHeaders = rawHeaders
  }

  /** Returns the Error body (spec 2). Its `status` equals the status of the response (spec 7, rule 1). */
  toJson(): string {
    return JSON.stringify({ code: this.code, message: this.message, status: this.status })
  }
}

/** Returns whether a value is an `ApiError`, also one of another copy of this package. */
export function isApiError(value: unknown): value is ApiError {
  return !(value instanceof Error) && Object.hasOwn(errors, String(readCode(value)))
}

/** The codes of the responses to a body that cannot be read. */
const bodyFailureCodes: readonly unknown[] = ['body_too_large', 'request_timeout', 'invalid_request']

/**
 * Thrown by a mount that cannot read a body. The service responds with the Error of the same code.
 *
 * @example
 * import { BodyFailure } from 'pet-adoption-service'
 *
 * export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
 *   const bytes = new Uint8Array(await request.arrayBuffer())
 *   if (bytes.length > maxBytes) throw new BodyFailure('body_too_large')
 *   return bytes
 * }
 */
export class BodyFailure extends Error {
  /** The name of the class, also in another copy of this package. */
  override readonly name = 'BodyFailure'
  /** The code of the response. */
  readonly code: 'body_too_large' | 'request_timeout' | 'invalid_request'

  /** `options.cause` is the error behind this one. */
  constructor(code: BodyFailure['code'], options?: { cause?: unknown }) {
    super(code, options)
    this.code = code
  }
}

/** Returns whether a cause is a `BodyFailure`, also one of another copy of this package. */
export function isBodyFailure(cause: unknown): cause is BodyFailure {
  return cause instanceof Error && bodyFailureCodes.includes(readCode(cause))
}

/** A mistake of the embedder that only a request shows. Its message says what to change. */
export class Misuse extends TypeError {}

const defaultRetryAfterSeconds = 5

/** The options of `StoreUnavailable` and `LimiterUnavailable`. */
export interface UnavailableOptions {
  /** The error behind this one. `onError` receives it; it is never sent to a client. */
  readonly cause?: unknown
  /** The number of seconds after which a client may try again, a whole number from 1; 5 by default. */
  readonly retryAfterSeconds?: number
}

/** @internal A part that cannot work at the moment. The service responds with 503 and `Retry-After`. */
abstract class Unavailable extends Error {
  /** Identifies the part for the service. */
  abstract readonly code: 'store_unavailable' | 'limiter_unavailable'
  /** Whole seconds after which a client may try again. */
  readonly retryAfterSeconds: number

  /** `message` is for the operator: `onError` receives it, and no client does. */
  constructor(
    message: string,
    { cause, retryAfterSeconds = defaultRetryAfterSeconds }: UnavailableOptions = {},
  ) {
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
  /** The name of the class, also in another copy of this package. */
  override readonly name = 'StoreUnavailable'
  /** Identifies the part for the service. */
  readonly code = 'store_unavailable'
}

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
  /** The name of the class, also in another copy of this package. */
  override readonly name = 'LimiterUnavailable'
  /** Identifies the part for the service. */
  readonly code = 'limiter_unavailable'
}

/** Returns whether a cause is a `StoreUnavailable` or a `LimiterUnavailable`, also of another copy of this package. */
export function isUnavailable(cause: unknown): cause is StoreUnavailable | LimiterUnavailable {
  return findUnavailablePart(cause) !== undefined
}

/** Returns the part that cannot work, if the cause is a `StoreUnavailable` or a `LimiterUnavailable`. */
export function findUnavailablePart(cause: unknown): 'store' | 'limiter' | undefined {
  const code = readCode(cause)
  return code === 'store_unavailable' ? 'store' : code === 'limiter_unavailable' ? 'limiter' : undefined
}

/** Returns the seconds of `Retry-After` if a part cannot work, whole from 1; undefined for another cause. */
export function readRetryAfter(cause: unknown): number | undefined {
  if (!isUnavailable(cause)) return undefined
  const { retryAfterSeconds } = cause
  return isWholeNumber(retryAfterSeconds) ? retryAfterSeconds : defaultRetryAfterSeconds
}
