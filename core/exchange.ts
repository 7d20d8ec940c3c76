import type { Caller } from './auth.ts'
import type { ApiError } from './errors.ts'
import type { OperationResult } from './handlers.ts'
import type { ServiceRequest } from './http.ts'
import type { Decision, Limit } from './limits/bucket.ts'
import type { Route } from './operations.ts'
import { limitsOf, plans } from './plans.ts'
import type { Target } from './target.ts'

/** The limits of an anonymous client: those of the plan Free. */
export const anonymousLimits: readonly Limit[] = limitsOf(plans.free)

/** What a request comes to, before the headers that every response has. */
export type Result = OperationResult | ApiError

/** A request on its way through the pipeline. Each step of `service.ts` records here what it finds. */
export interface Exchange {
  readonly request: ServiceRequest
  /** From `performance.now()`; 0 where no hook asks for durations. */
  readonly startedAt: number
  /** The value of `X-Request-Id`. */
  readonly requestId: string | undefined
  /** Undefined where the request target has no path. */
  target: Target | undefined
  /** What the path leads to; undefined where there is nothing, or the path is outside the base path. */
  route: Route | undefined
  /** What HTTP itself cannot accept of the request. */
  httpError: ApiError | undefined
  /** The bearer token and its SHA-256; both are empty where none can be read. */
  token: string
  digest: string
  /** Whether the token was not looked up, since its address is limited. */
  isWithheld: boolean
  /** Undefined for an anonymous client. */
  caller: Caller | undefined
  /** The caller's limits, or those of an anonymous client. */
  limits: readonly Limit[]
  /** Why the client is anonymous. */
  keyError: ApiError | undefined
  /** The bucket of the client address, once it is known. */
  address: string | undefined
  /** Whether the limiter was asked: where it failed, it is not asked again for the numbers. */
  isLimiterAsked: boolean
  /** Undefined until the limiter has decided. */
  decision: Decision | undefined
}

/** An exchange of which no step has run. */
export function createExchange(
  request: ServiceRequest,
  startedAt: number,
  requestId: string | undefined,
): Exchange {
  return {
    request,
    startedAt,
    requestId,
    target: undefined,
    route: undefined,
    httpError: undefined,
    token: '',
    digest: '',
    isWithheld: false,
    caller: undefined,
    limits: anonymousLimits,
    keyError: undefined,
    address: undefined,
    isLimiterAsked: false,
    decision: undefined,
  }
}
