import type { ApiError } from '../http/errors.ts'
import type { ServiceRequest } from '../http/http.ts'
import type { Target } from '../http/target.ts'
import type { Caller } from '../keys/auth.ts'
import type { Decision, Limit } from '../limits/bucket.ts'
import type { Route } from '../operations/router.ts'
import type { ServiceSettings } from './options.ts'

/** A request in the pipeline, at first of an anonymous client. Each step records here what it finds. */
export class RequestState {
  readonly request: ServiceRequest
  /** The value of `X-Request-Id`. */
  readonly requestId: string | undefined
  /** The start of the request, from `performance.now()`. */
  readonly startedAt: number = performance.now()
  /** Undefined if the request target has no path. */
  target: Target | undefined
  /** Undefined if the path has no route, or is outside the base path. */
  route: Route | undefined
  /** The error of a request that breaks the rules of HTTP itself. */
  httpError: ApiError | undefined
  /** Undefined for an anonymous client. */
  caller: Caller | undefined
  /** The limits of the caller, or of an anonymous client. */
  limits: readonly Limit[]
  /** The reason why the client is anonymous. */
  keyError: ApiError | undefined
  /** True if the limiter was called, also if it failed: it is not called again. */
  hasCalledLimiter = false
  /** Undefined until the limiter has decided. */
  decision: Decision | undefined

  readonly #readClient: ServiceSettings['readClient']
  #address: string | undefined

  constructor(
    request: ServiceRequest,
    { limits, readClient }: ServiceSettings,
    requestId: string | undefined,
  ) {
    this.request = request
    this.requestId = requestId
    this.limits = limits.anonymous
    this.#readClient = readClient
  }

  /** The name of the client address's bucket, computed when it is first read. */
  get address(): string {
    this.#address ??= this.#readClient(this.request)
    return this.#address
  }
}
