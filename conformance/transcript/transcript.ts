import type { RatePlan } from './rate-plans.ts'

/** Every profile. */
export const profiles = ['read', 'create', 'exhaust', 'all'] as const

/**
 * Which requests a run sends. `read` sends only GET. `create` also sends POST. `exhaust` also drives a second key to its
 * limit. `all` is `create` and `exhaust` together.
 */
export type Profile = (typeof profiles)[number]

/**
 * The kind of credential in a request; the credential itself is never stored. `key-other-case` is the key in the scheme
 * `bEaReR`, `other-scheme` the key in another scheme, and `throttle-key-in-query` an `access_token` without a header.
 */
export type Credential =
  | 'key'
  | 'key-other-case'
  | 'throttle-key'
  | 'throttle-key-in-query'
  | 'unknown-key'
  | 'other-scheme'
  | 'empty-token'
  | 'none'

/** Headers in their order, including repeated ones. */
export type HeaderList = readonly (readonly [name: string, value: string])[]

/** A request that was sent. Placeholders replace every secret. */
export interface SentRequest {
  readonly method: string
  /** Path and query relative to the base address, such as `/pets?limit=1`. */
  readonly target: string
  readonly headers: HeaderList
  /** The text of the body; absent if none was sent. */
  readonly body?: string
}

/** A response that was received. */
export interface ReceivedResponse {
  readonly status: number
  /** Names in lower case, in the order received. */
  readonly headers: HeaderList
  /** The text of the body; a remark or nothing if the body is not stored. */
  readonly body: string
  /** Whether the bytes of the body are valid UTF-8. If not, the body is not stored, and is not JSON. */
  readonly utf8: boolean
  /** Whether the body is larger than the suite reads. If so, `body` is empty. */
  readonly truncated: boolean
  /** Set if the body is not stored because redacting a key in it would invalidate its JSON. */
  readonly withheld?: true
  /** The time from sending to the last byte, in milliseconds. */
  readonly ms: number
}

/** One request and its response, or the error in place of a response. */
export interface Exchange {
  /** Names the request, the same in every run. Rules and reports refer to it. */
  readonly id: string
  readonly credential: Credential
  /** When the request was sent, in milliseconds since the start of the run. */
  readonly at: number
  readonly request: SentRequest
  readonly outcome:
    | { readonly kind: 'response'; readonly response: ReceivedResponse }
    | { readonly kind: 'error'; readonly error: string }
}

/** The record of a run, without secrets. A saved transcript can be judged again without sending anything. */
export interface Transcript {
  readonly version: 1
  readonly baseUrl: string
  readonly profile: Profile
  /** The plan of the key (`--plan`). */
  readonly plan?: RatePlan
  /** The time of the real clock at the start of the run, as an ISO time. */
  readonly startedAt: string
  /** The time by which rules judge, as an ISO time: `--now`, or `startedAt` by default. */
  readonly now: string
  /** The duration of the run, in milliseconds. */
  readonly durationMs: number
  /** Part of the name of every animal that the run created. */
  readonly marker: string
  /** `--category-id`, as decimal digits. */
  readonly categoryId?: string
  /** Why the run ended early; absent if it sent everything. */
  readonly endedEarly?: string
  readonly exchanges: readonly Exchange[]
}
