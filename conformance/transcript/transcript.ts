import type { RatePlan } from './rate-plans.ts'

/** The profiles: which requests a run sends. `all` is `create` and `exhaust` together. */
export const profiles = ['read', 'create', 'exhaust', 'all'] as const
export type Profile = (typeof profiles)[number]

/**
 * Which credential a request carried; the credential itself is never kept. `key-other-case` is the key behind
 * `bEaReR`, `other-scheme` the key behind another scheme, `throttle-key-in-query` no header but `access_token`.
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

/** Headers in their order, repeated ones too. */
export type HeaderList = readonly (readonly [name: string, value: string])[]

/** What was sent, with every secret replaced by a placeholder. */
export interface SentRequest {
  readonly method: string
  /** Path and query relative to the base address, such as `/pets?limit=1`. */
  readonly target: string
  readonly headers: HeaderList
  /** The body's text; absent where none was sent. */
  readonly body?: string
}

/** What came back. */
export interface ReceivedResponse {
  readonly status: number
  /** Names in lower case, in the order received. */
  readonly headers: HeaderList
  /** The body's text; where it is not kept, a remark that says so, or nothing. */
  readonly body: string
  /** False where the body's bytes were not valid UTF-8: such a body is no JSON. */
  readonly utf8: boolean
  /** True where the body was longer than the suite reads: then nothing of it is kept. */
  readonly truncated: boolean
  /** Set where the body is not kept, because a key could not be taken out of it without spoiling its JSON. */
  readonly withheld?: true
  /** From sending to the last byte, in milliseconds. */
  readonly ms: number
}

/** One request and what became of it. */
export interface Exchange {
  /** Stable within a plan: rules find their evidence by it, and reports refer to it. */
  readonly id: string
  readonly credential: Credential
  /** When it was sent: milliseconds since the run began. */
  readonly at: number
  readonly request: SentRequest
  readonly outcome:
    | { readonly kind: 'response'; readonly response: ReceivedResponse }
    | { readonly kind: 'error'; readonly error: string }
}

/** Everything that judging needs, without secrets: a saved one is judged again with no request sent. */
export interface Transcript {
  readonly version: 1
  readonly baseUrl: string
  readonly profile: Profile
  /** The plan of the key (`--plan`). */
  readonly plan?: RatePlan
  /** The real clock when the run began, as an ISO time. */
  readonly startedAt: string
  /** The suite's clock when the run began (`--now`, else `startedAt`), as an ISO time. */
  readonly now: string
  readonly durationMs: number
  /** Stands in the name of every animal that the run created. */
  readonly marker: string
  /** `--category-id`, as decimal digits. */
  readonly categoryId?: string
  /** Why the run ended before its plan did; absent where it did not. */
  readonly endedEarly?: string
  readonly exchanges: readonly Exchange[]
}
