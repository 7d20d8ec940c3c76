import type { ApiError } from '../http/errors.ts'
import type { ServiceRequest } from '../http/http.ts'
import type { Target } from '../http/target.ts'
import type { Caller } from '../keys/auth.ts'
import type { Decision, Limit } from '../limits/bucket.ts'
import type { Route } from '../operations/router.ts'
import type { ServiceSettings } from './options.ts'

/** What the service knows about a request. Each pipeline step stores its result here. */
export class RequestState {
  readonly request: ServiceRequest
  /** When the service received the request, as returned by `performance.now`. */
  readonly startedAt: number = performance.now()
  requestId: string | undefined
  /** The parsed target, or `undefined` if it has no path. */
  target: Target | undefined
  /** The matching route, or `undefined` if the path is unknown or outside the base path. */
  route: Route | undefined
  /** The error for a request that is not valid HTTP. */
  httpError: ApiError | undefined
  /** The caller, or `undefined` for an anonymous client. */
  caller: Caller | undefined
  /** Rate limits that apply: the caller's, or those for anonymous clients. */
  limits: readonly Limit[]
  /** The error for a missing or invalid API key. */
  keyError: ApiError | undefined
  /** Whether the limiter was called, even if the call failed. */
  hasCalledLimiter = false
  /** The rate limit decision, or `undefined` if the limiter has failed. */
  decision: Decision | undefined

  readonly #readClient: ServiceSettings['readClientAddress']
  #address: string | undefined

  constructor(request: ServiceRequest, { limits, readClientAddress }: ServiceSettings) {
    this.request = request
    this.limits = limits.anonymous
    this.#readClient = readClientAddress
  }

  /** The client address, read on first use. */
  get clientAddress(): string {
    this.#address ??= this.#readClient(this.request)
    return this.#address
  }
}
