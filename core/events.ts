import type { ErrorCode } from './errors.ts'
import type { Decision } from './limits/bucket.ts'
import type { OperationId } from './operations.ts'

/** One answer, for logs and metrics. It holds no key, no body and no target. */
export interface ResponseEvent {
  /** Undefined where the request led to none. */
  readonly operation: OperationId | undefined
  readonly method: string | undefined
  readonly status: number
  /** The Error's code; undefined for a success. */
  readonly code: ErrorCode | undefined
  /** From the request's arrival in the service to its answer, in milliseconds with fractions. */
  readonly durationMs: number
  /** The caller's id; undefined for a stranger. */
  readonly caller: string | undefined
  /** The client address as its bucket is named: an IPv6 address by its first 64 bits; `unknown` where there is none. */
  readonly client: string
  /** What the limiter said, or the numbers that were shown. */
  readonly decision: Decision
  readonly requestId: string | undefined
}

/** Which request a failure belongs to, for `onError`. A member is undefined where it is not known. */
export interface ErrorContext {
  readonly requestId: string | undefined
  readonly operation: OperationId | undefined
  /** The caller's id. */
  readonly caller: string | undefined
}
