import type { ErrorCode } from '../http/errors.ts'
import type { Decision } from '../limits/bucket.ts'
import type { OperationId } from '../operations/index.ts'

/** A response, for logs and metrics. It contains no key, no body and no target. */
export interface ResponseEvent {
  /** Undefined if the request matched no operation, and for a response of `authenticate`. */
  readonly operation: OperationId | undefined
  /** The route, such as `/v1/pets/{petId}`; undefined if the path has none. It is defined also for a 405. */
  readonly route: string | undefined
  /** Undefined if the request could not be parsed. */
  readonly method: string | undefined
  /** The HTTP status. */
  readonly status: number
  /** The code of the Error; undefined for a success. */
  readonly code: ErrorCode | undefined
  /** Milliseconds with fractions, from the arrival of the request in the service to its response. */
  readonly durationMs: number
  /** The id of the caller; undefined for an anonymous client. */
  readonly caller: string | undefined
  /** The bucket of the client address: an IPv6 address by its first 64 bits; `unknown` without an address. */
  readonly client: string
  /** The numbers in the rate-limit headers. */
  readonly decision: Decision
  /** The value of `X-Request-Id`; undefined without the option `requestId`. */
  readonly requestId: string | undefined
  /** The trace id of the request's `traceparent` (W3C Trace Context); undefined without a valid one. */
  readonly traceId: string | undefined
}

/** The request that caused an error, for `onError`. A member is undefined if it is not known. */
export interface ErrorContext {
  /** The value of `X-Request-Id`. */
  readonly requestId: string | undefined
  /** Undefined if no operation was matched. */
  readonly operation: OperationId | undefined
  /** The id of the caller. */
  readonly caller: string | undefined
}
