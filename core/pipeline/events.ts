import type { ErrorCode } from '../http/errors.ts'
import type { Decision } from '../limits/bucket.ts'
import type { OperationId } from '../operations/index.ts'

/** The request that caused an error. Unknown members are `undefined`. */
export interface ErrorContext {
  /** The operation, or `undefined` if the request matches none or was passed to `authenticate`. */
  readonly operation: OperationId | undefined
  /** The route, such as `/v1/pets/{petId}`, or `undefined` if the path is unknown. A 405 has a route. */
  readonly route: string | undefined
  /** The method, or `undefined` if the request could not be parsed. */
  readonly method: string | undefined
  /** The caller's ID, or `undefined` for an anonymous client. */
  readonly caller: string | undefined
  /** The response's `X-Request-Id`, or `undefined` without `options.requestId`. */
  readonly requestId: string | undefined
}

/** A response from the service, for logs and metrics. It contains no API key, no body and no request target. */
export interface ResponseEvent extends ErrorContext {
  /** HTTP status. */
  readonly status: number
  /** The error code, or `undefined` for a success. */
  readonly code: ErrorCode | undefined
  /** Time between request and response, in milliseconds. */
  readonly durationMs: number
  /** The client address: an IPv4 address, the /64 network around an IPv6 address, or `unknown`. */
  readonly clientAddress: string
  /** The rate limit decision that the response reports. */
  readonly decision: Decision
  /** The trace ID in `traceparent` (W3C Trace Context), or `undefined` without a valid one. */
  readonly traceId: string | undefined
}
