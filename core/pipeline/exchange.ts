import type { MaybePromise } from '../base/maybe-promise.ts'
import type { ApiError } from '../http/errors.ts'
import type { ServiceRequest } from '../http/http.ts'
import type { Route } from '../http/operations.ts'
import type { Target } from '../http/target.ts'
import type { Caller } from '../keys/auth.ts'
import type { Decision, Limit } from '../limits/bucket.ts'
import type { OperationResult } from './handlers.ts'
import type { Settings } from './options.ts'

/** The result of a request, without the headers that every response has. */
export type Result = OperationResult | ApiError

/** A request in the pipeline, before its first step that of an anonymous client. Each step of `service.ts` records its findings here. */
export class Exchange {
  readonly request: ServiceRequest
  /** From `performance.now()`; 0 if no hook needs durations. */
  readonly startedAt: number
  /** The value of `X-Request-Id`. */
  readonly requestId: string | undefined
  /** Undefined if the request target has no path. */
  target: Target | undefined
  /** Undefined if the path has no route, or is outside the base path. */
  route: Route | undefined
  /** The error of a request that HTTP itself does not allow. */
  httpError: ApiError | undefined
  /** The bearer token; empty if there is none. */
  token = ''
  /** The SHA-256 of the token. */
  digest = ''
  /** Of a key that was not seen within the hour: true while its look-up is under way; false if its address is charged before it. */
  turn: boolean | undefined
  /** Undefined for an anonymous client. */
  caller: Caller | undefined
  /** The caller's limits, or those of an anonymous client. */
  limits: readonly Limit[]
  /** The reason why the client is anonymous. */
  keyError: ApiError | undefined
  /** Whether the limiter was called: if it failed, it is not called again for the numbers. */
  isLimiterAsked = false
  /** Undefined until the limiter has decided. */
  decision: Decision | undefined

  readonly #settings: Settings
  #address: string | undefined

  constructor(request: ServiceRequest, settings: Settings, startedAt: number, requestId: string | undefined) {
    this.request = request
    this.limits = settings.limits.anonymous
    this.startedAt = startedAt
    this.requestId = requestId
    this.#settings = settings
  }

  /** The name of the bucket of the client address, which is read when it is first needed. */
  get address(): string {
    this.#address ??= this.#settings.readClient(this.request)
    return this.#address
  }
}

/** Does work for an exchange. What it throws, or rejects with, becomes the error of a response. */
export type Guard = <T>(
  work: (exchange: Exchange) => MaybePromise<T>,
  exchange: Exchange,
) => MaybePromise<T | ApiError>
