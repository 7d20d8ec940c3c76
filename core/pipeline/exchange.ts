import type { MaybePromise } from '../base/maybe-promise.ts'
import type { ApiError } from '../http/errors.ts'
import type { ServiceRequest } from '../http/http.ts'
import type { Route } from '../http/operations.ts'
import type { Target } from '../http/target.ts'
import type { Caller } from '../keys/auth.ts'
import type { Decision, Limit } from '../limits/bucket.ts'
import type { Result } from './handlers.ts'
import type { ServiceSettings } from './options.ts'

/** A step of the pipeline returns the result that ends the request, or undefined to go on. */
export type Step = (exchange: Exchange) => MaybePromise<Result | undefined>

/**
 * What became of the key of a request: there is `none`; it was `seen` valid within the last hour; it is `unseen`, and
 * looked up before a charge; it is `withheld` until its address is charged, and then `resumed`.
 */
type KeyState = 'none' | 'seen' | 'unseen' | 'withheld' | 'resumed'

/**
 * A request in the pipeline, before its first step that of an anonymous client. Each step of `service.ts` records its
 * findings here. Its members are declared, so that nothing initializes them before the constructor does.
 */
export class Exchange {
  declare readonly request: ServiceRequest
  /** The steps of the pipeline that it takes. */
  declare readonly steps: readonly Step[]
  /** From `performance.now()`; 0 if no hook needs durations. */
  declare readonly startedAt: number
  /** The value of `X-Request-Id`. */
  declare readonly requestId: string | undefined
  /** Undefined if the request target has no path. */
  declare target: Target | undefined
  /** Undefined if the path has no route, or is outside the base path. */
  declare route: Route | undefined
  /** The error of a request that HTTP itself does not allow. */
  declare httpError: ApiError | undefined
  declare key: KeyState
  /** When its key was read, in ms since the epoch. */
  declare at: number
  /** The bearer token; empty if there is none. */
  declare token: string
  /** The SHA-256 of the token. */
  declare digest: string
  /** Undefined for an anonymous client. */
  declare caller: Caller | undefined
  /** The caller's limits, or those of an anonymous client. */
  declare limits: readonly Limit[]
  /** The reason why the client is anonymous. */
  declare keyError: ApiError | undefined
  /** Whether the limiter was called: if it failed, it is not called again for the numbers. */
  declare isLimiterAsked: boolean
  /** Undefined until the limiter has decided. */
  declare decision: Decision | undefined

  declare private readonly readClient: ServiceSettings['readClient']
  declare private foundAddress: string | undefined

  constructor(
    request: ServiceRequest,
    steps: readonly Step[],
    { limits, readClient }: ServiceSettings,
    { notifies, nextRequestId }: { notifies: boolean; nextRequestId(): string | undefined },
  ) {
    this.request = request
    this.steps = steps
    this.startedAt = notifies ? performance.now() : 0
    this.requestId = nextRequestId()
    this.target = undefined
    this.route = undefined
    this.httpError = undefined
    this.key = 'none'
    this.at = 0
    this.token = ''
    this.digest = ''
    this.caller = undefined
    this.limits = limits.anonymous
    this.keyError = undefined
    this.isLimiterAsked = false
    this.decision = undefined
    this.readClient = readClient
    this.foundAddress = undefined
  }

  /** The name of the bucket of the client address, which is read when it is first needed. */
  get address(): string {
    this.foundAddress ??= this.readClient(this.request)
    return this.foundAddress
  }
}
