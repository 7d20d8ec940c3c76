/** Whether an animal can be adopted (section 3 of the interface). */
export type PetStatus = 'available' | 'pending' | 'sold'

/** An animal of the service. Members that the interface does not know are kept, as `JSON.parse` reads them. */
export interface Pet {
  /** Assigned by the deployment. */
  readonly id: bigint
  /** The name. */
  readonly name: string
  /** An int64, exact. */
  readonly categoryId: bigint
  /** Absent if the deployment shows none. */
  readonly status?: PetStatus
  /** Further members, as they were received. */
  readonly [member: string]: unknown
}

/** What `onRetry` is told before each wait of a call. */
export interface RetryEvent {
  /** Counts the waits of the call, from 1. */
  readonly attempt: number
  /** How long the call waits, in milliseconds. */
  readonly waitMs: number
  /** The status of the response that makes it wait, which may be that to another call of this client. */
  readonly status: number | undefined
  /** The error of that response, or the reason why there was none; undefined while `pace` holds the call. */
  readonly cause: unknown
}

/** What `onDeprecation` is told. */
export interface DeprecationEvent {
  /** The operation that was called. */
  readonly operation: 'listPets' | 'createPet' | 'getPet'
  /** When the operation is removed: `Sunset`. */
  readonly removal: Date | undefined
  /** The address of its successor, or of what describes the deprecation: `Link`. */
  readonly link: string | undefined
}

/** The options of a client. */
export interface PetClientOptions {
  /** Where the interface begins, such as `https://pets.example.com/v1`; without a query, a fragment and credentials. */
  readonly baseUrl: string | URL
  /** Visible ASCII characters. */
  readonly apiKey: string
  /** Sends a request: `globalThis.fetch`, looked up at each attempt, by default; or a handler in the same process. */
  readonly fetch?: (request: Request) => Promise<Response>
  /** Whether to hold requests while `X-RateLimit-Remaining` is 0, before a 429; false by default. */
  readonly pace?: boolean
  /** How long one request may wait in all, in whole milliseconds from 0 to 2^53 − 1; 120,000 by default. */
  readonly maxWaitMs?: number
  /** How often a request is sent again after a 502, 503 or 504, or a lost connection, from 0; 4 by default. */
  readonly maxRetries?: number
  /** How long one attempt may take, in whole milliseconds from 0 to 2^53 − 1, its body included; 30,000 by default. */
  readonly timeoutMs?: number
  /**
   * Whether the deployment supports `Idempotency-Key`; true by default. With false, a creation without a key of the
   * caller is sent again only if it surely was not processed: after a 429, or a 503 with `Retry-After`.
   */
  readonly idempotency?: boolean
  /** Called once for each operation whose responses have `Deprecation` or `Sunset`; `console.warn` by default. */
  readonly onDeprecation?: (event: DeprecationEvent) => void
  /** Called before each wait. */
  readonly onRetry?: (event: RetryEvent) => void
  /** Returns the time in milliseconds since the epoch; for tests. */
  readonly clock?: () => number
  /** Waits for so many milliseconds; for tests. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
  /** Returns a number from 0 up to 1; for tests. */
  readonly random?: () => number
}
