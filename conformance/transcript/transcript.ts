import type { Profile } from '../steps/profile.ts'
import type { Credential, Method } from '../steps/step.ts'
import type { RatePlan } from './rate-plans.ts'

/** Header names and values, in order. A name can occur several times. */
export type HeaderList = readonly (readonly [name: string, value: string])[]

/** A request as the suite sent it. Keys are replaced by placeholders. */
export interface SentRequest {
  /** The request method. */
  readonly method: Method
  /** The path and query after the base URL, such as `/pets?limit=2`. */
  readonly target: string
  /** The headers that the suite sets. The HTTP client adds others, such as `Host`. */
  readonly headers: HeaderList
  /** The body as text. Absent if none was sent. */
  readonly body?: string
}

/** A response as the suite received it. Keys are replaced by placeholders. */
export interface ReceivedResponse {
  /** The status code. */
  readonly status: number
  /** The headers, with names in lower case. */
  readonly headers: HeaderList
  /** The body as text, after content codings are decoded. If the body is not stored, a remark or the empty string. */
  readonly body: string
  /** Whether the body is valid UTF-8. An invalid body is not stored, and not treated as JSON. */
  readonly utf8: boolean
  /** Whether the body exceeded the size limit. The member `body` is empty then. */
  readonly truncated: boolean
  /** Present if the body is not stored because redacting a key would make its JSON invalid. */
  readonly withheld?: true
  /** The time from the request to the last byte, in milliseconds. */
  readonly ms: number
}

/** The response to a request, or the reason why there is none. */
export type Outcome =
  | { readonly response: ReceivedResponse; readonly error?: undefined }
  | {
      readonly error: string
      /** The time until the error, in milliseconds. */
      readonly ms?: number
      readonly response?: undefined
    }

/** A pause for the deployment's rate limit. */
export interface Wait {
  /** The id of the exchange that follows the pause. */
  readonly before: string
  /** The header that the pause is based on. */
  readonly reason: 'X-RateLimit-Remaining' | 'Retry-After'
  /** How long the run paused, in milliseconds. */
  readonly ms: number
}

/** What was unusual about the network: without members, certificates were verified and no proxy was used. */
export interface NetworkUse {
  /** Present if certificates were not verified. */
  readonly insecure?: true
  /** The proxy's address, without credentials. */
  readonly proxy?: string
}

/** A request, and its response or error. */
export type Exchange = Outcome & {
  /** The step's id, which is the same in every run. Rules and reports refer to it. */
  readonly id: string
  /** The credential that the request was sent with. */
  readonly credential: Credential
  /** When the request was sent, in milliseconds since the run started. */
  readonly at: number
  /** The group of parallel requests that this one belongs to. Absent if it was sent alone. */
  readonly group?: string
  readonly request: SentRequest
  /** How often the request was sent, if more than once. The response is the last one. */
  readonly times?: number
  /**
   * Whether the request used the previous exchange's connection. `false` if the deployment had closed that connection.
   * Absent if the request was not meant to use it, or if the runtime does not report connections.
   */
  readonly sameConnection?: boolean
}

/** Formats an exchange for a message, such as `GET /pets (list)`. */
export function formatRequestName({ id, request: { method, target } }: Exchange): string {
  return `${method} ${target} (${id})`
}

export function getOperation({ request: { method, target } }: Exchange): 'createPet' | 'getPet' | 'listPets' {
  if (method === 'POST') return 'createPet'
  return target.startsWith('/pets/') ? 'getPet' : 'listPets'
}

/** The record of a run, without secrets. It can be judged again without sending anything. */
export interface Transcript {
  /** The deployment, by its base URL without secrets. */
  readonly target: { readonly baseUrl: string }
  /** The profile that chose the requests. */
  readonly profile: Profile
  /** The rate plan of the key. Absent if it was not given. */
  readonly plan?: RatePlan
  /** When the run started, by the system clock, as an ISO 8601 time. */
  readonly startedAt: string
  /**
   * The time that date-dependent rules compare with, as an ISO 8601 time. It is `startedAt` unless the `now` option is
   * set.
   */
  readonly now: string
  /** How long the run took, in milliseconds. */
  readonly durationMs: number
  /** The text that is part of every created animal's name. It differs between runs. */
  readonly marker: string
  /** The category that was set with `--category-id`, in decimal digits. */
  readonly categoryId?: string
  /** Why the run ended early. Absent if it was completed. */
  readonly endedEarly?: string
  /** How the deployment was reached. Absent if it was reached directly, with verified certificates. */
  readonly network?: NetworkUse
  /** The pauses for rate limits, except the throttle key's. Absent if there were none. */
  readonly waits?: readonly Wait[]
  /** All exchanges, in sending order. */
  readonly exchanges: readonly Exchange[]
}

/** Counts the requests, including repeated ones. */
export function countRequests({ exchanges }: Transcript): number {
  return exchanges.reduce((sum, { times = 1 }) => sum + times, 0)
}
