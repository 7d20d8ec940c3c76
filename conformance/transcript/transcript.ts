import type { Profile } from '../steps/profile.ts'
import type { Credential, Method } from '../steps/step.ts'
import type { RatePlan } from './rate-plans.ts'

/** Headers in their order, including repeated ones. */
export type HeaderList = readonly (readonly [name: string, value: string])[]

/** A request that was sent. Placeholders replace every secret. */
export interface SentRequest {
  /** The method. */
  readonly method: Method
  /** Path and query relative to the base URL, such as `/pets?limit=1`. */
  readonly target: string
  /** The headers, without secrets. */
  readonly headers: HeaderList
  /** The text of the body; absent if none was sent. */
  readonly body?: string
}

/** A response that was received. */
export interface ReceivedResponse {
  /** The HTTP status. */
  readonly status: number
  /** Names in lower case, in the order received. */
  readonly headers: HeaderList
  /** The text of the body; a remark or nothing if the body is not stored. */
  readonly body: string
  /** True if the bytes of the body are valid UTF-8. If not, the body is not stored, and is not JSON. */
  readonly utf8: boolean
  /** True if the body is larger than the suite reads. If so, `body` is empty. */
  readonly truncated: boolean
  /** Set if the body is not stored because redacting a key in it would invalidate its JSON. */
  readonly withheld?: true
  /** The time from sending to the last byte, in milliseconds. */
  readonly ms: number
}

/** The result of a request: a response, or an error instead of one. */
export type Outcome =
  | { readonly kind: 'response'; readonly response: ReceivedResponse }
  | { readonly kind: 'error'; readonly error: string }

/** A wait for a limit of the deployment. */
export interface Wait {
  /** The id of the exchange that was waited for. */
  readonly before: string
  /** The header that asked for it. */
  readonly reason: 'X-RateLimit-Remaining' | 'Retry-After'
  /** Duration in milliseconds. */
  readonly ms: number
}

/** Connection of the run to the deployment. */
export interface NetworkUse {
  /** Set if certificates were not verified. */
  readonly insecure?: true
  /** The address of the proxy, without credentials. */
  readonly proxy?: string
}

/** One request and its response, or the error instead of a response. */
export interface Exchange {
  /** Names the request, the same in every run. Rules and reports refer to it. */
  readonly id: string
  /** The kind of its credential. */
  readonly credential: Credential
  /** Time the request was sent, in milliseconds since the start of the run. */
  readonly at: number
  /** The request. */
  readonly request: SentRequest
  /** Number of times the request was sent; absent for one. `outcome` is the last one. */
  readonly times?: number
  /**
   * `true` if the request went on the connection of the exchange before it, `false` if the deployment had closed that.
   * Absent if a new connection was intended, or if the runtime does not show it.
   */
  readonly continues?: boolean
  /**
   * Status or error on that connection instead of the response of a new one. The request was then sent
   * once more, on a new connection.
   */
  readonly leftover?: string
  /** The response, or the reason why none came. */
  readonly outcome: Outcome
}

/**
 * Returns whether the short form of a response in `leftover` is a 5xx, which a server or a gateway may return by
 * itself.
 */
export function isServerError(leftover: string): boolean {
  return /^5\d\d$/.test(leftover)
}

/** Returns how a text names a request: by its method and target, and the id of its exchange. */
export function formatRequestName({ id, request: { method, target } }: Exchange): string {
  return `${method} ${target} (${id})`
}

/** Returns the operation that a request within the interface is for. */
export function readOperation({
  request: { method, target },
}: Exchange): 'createPet' | 'getPet' | 'listPets' {
  if (method === 'POST') return 'createPet'
  return target.startsWith('/pets/') ? 'getPet' : 'listPets'
}

/** The record of a run, without secrets. A saved transcript can be judged again without sending anything. */
export interface Transcript {
  /** The version of this form. */
  readonly version: 1
  /** The base URL of the deployment. */
  readonly baseUrl: string
  /** The profile that chose the requests. */
  readonly profile: Profile
  /** The plan of the key (`--plan`). */
  readonly plan?: RatePlan
  /** The time of the real clock at the start of the run, as an ISO time. */
  readonly startedAt: string
  /** The time that rules judge by, as an ISO time: `--now`, or `startedAt` by default. */
  readonly now: string
  /** The duration of the run, in milliseconds. */
  readonly durationMs: number
  /** Part of the name of every animal that the run created. */
  readonly marker: string
  /** `--category-id`, as decimal digits. */
  readonly categoryId?: string
  /** Reason why the run ended early; absent if it sent everything. */
  readonly endedEarly?: string
  /** Connection to the deployment. */
  readonly network?: NetworkUse
  /** The waits for limits, apart from those for the throttle key; absent if there were none. */
  readonly waits?: readonly Wait[]
  /** The exchanges, in their order. */
  readonly exchanges: readonly Exchange[]
}

/** Returns how many requests a run sent. */
export function countRequests({ exchanges }: Transcript): number {
  return exchanges.reduce((sum, { times = 1 }) => sum + times, 0)
}
