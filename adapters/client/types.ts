/** Status of an animal (section 3 of the interface). */
export type PetStatus = 'available' | 'pending' | 'sold'

/** An animal of the service. */
export interface Pet {
  /** Assigned by the deployment. */
  readonly id: bigint
  /** The name. */
  readonly name: string
  /** An int64, exact. */
  readonly categoryId: bigint
  /** Absent if the deployment shows none. */
  readonly status?: PetStatus
  /** Members that the interface does not know, as `JSON.parse` reads them. */
  readonly [member: string]: unknown
}

/** An animal to create. */
export interface NewPet {
  /** The name of the new animal. */
  readonly name: string
  /** An int64: a bigint or a safe integer. */
  readonly categoryId: bigint | number
  /** Chosen by the deployment if it is absent. */
  readonly status?: PetStatus
  /** Members that the interface does not know are sent unchanged. */
  readonly [member: string]: unknown
}

/** A filter for a list. */
export interface ListQuery {
  /** Size of a page, from 1 to 100; 20 by default. An iteration reads all pages, whatever their size. */
  readonly limit?: number
  /** Only animals with this status. */
  readonly status?: PetStatus
  /** Only animals after the one with this id, on deployments that support it, such as this service. */
  readonly after?: bigint | number
}

/** The options of one call. */
export interface CallOptions {
  /** Ends the call immediately with the signal's reason, also during a wait. */
  readonly signal?: AbortSignal
}

/** The options of a creation. */
export interface CreateOptions extends CallOptions {
  /** 1 to 255 visible ASCII characters without `"` and `\`. The default is a new random one for each call. */
  readonly idempotencyKey?: string
}

/** A page of a list. */
export interface PetPage {
  /** The animals of the page. */
  readonly pets: readonly Pet[]
  /**
   * The address of the next page, for `list`; undefined after the last one. The interface does not require pages: on a
   * deployment that sends no `Link`, only the first page can be read.
   */
  readonly next: string | undefined
}

/** The animals of all pages. Each iteration starts with a request for the first page. */
export interface PetList extends AsyncIterable<Pet> {
  /** Requests one page. */
  page(): Promise<PetPage>
}

/**
 * A client of one deployment, with one key. A call rejects with `PetApiError` for a response that is not a success, with
 * the error of `fetch`, a `TimeoutError`, or the reason of its signal. A wrong argument is a `TypeError`, before
 * anything is sent.
 */
export interface PetClient {
  /** Lists animals (section 4.1). Takes the `next` of a page instead of a query. */
  list(query?: ListQuery | string, options?: CallOptions): PetList
  /** Creates an animal (section 4.2). */
  create(newPet: NewPet, options?: CreateOptions): Promise<Pet>
  /**
   * Returns one animal (section 4.3).
   *
   * @deprecated The operation is removed on 5 December 2030. `list({ status })` replaces it.
   */
  get(id: bigint | number, options?: CallOptions): Promise<Pet>
}

/** The event before each wait of a call. */
export interface RetryEvent {
  /** Number of this wait of the call, from 1. */
  readonly attempt: number
  /** Duration of the wait, in milliseconds. */
  readonly waitMs: number
  /** The status of the response that causes the wait. It can be the response to another call of this client. */
  readonly status: number | undefined
  /** The error of that response, or the reason why none came; undefined while `pace` holds the call. */
  readonly cause: unknown
}

/** The event of the first deprecated response of an operation. */
export interface DeprecationEvent {
  /** The operation that was called. */
  readonly operation: 'listPets' | 'createPet' | 'getPet'
  /** The time when the operation is removed, from `Sunset`. */
  readonly removal: Date | undefined
  /** The absolute address of the successor or of a notice, from `Link`. */
  readonly link: string | undefined
}

/** The options of a client. */
export interface PetClientOptions {
  /** Address of the interface, such as `https://pets.example.com/v1`; without query, fragment and credentials. */
  readonly baseUrl: string | URL
  /** Visible ASCII characters. */
  readonly apiKey: string
  /** Sends a request. The default is `globalThis.fetch`, looked up at each attempt. It can be a handler in the same process. */
  readonly fetch?: (request: Request) => Promise<Response>
  /** Hold requests while `X-RateLimit-Remaining` is 0, before a 429; false by default. */
  readonly pace?: boolean
  /** Maximum time of all waits of one request, in whole milliseconds from 0 to 2^53 − 1; 120,000 by default. */
  readonly maxWaitMs?: number
  /** Maximum number of retries after a 502, 503 or 504, or a lost connection, from 0; 4 by default. */
  readonly maxRetries?: number
  /** Maximum time of one attempt with its body, in whole milliseconds from 0 to 2^53 − 1; 30,000 by default. */
  readonly timeoutMs?: number
  /**
   * The deployment supports `Idempotency-Key`; true by default. With false, a creation without an idempotency key of the
   * caller is sent again only if it was certainly not processed: after a 429, or a 503 with `Retry-After`.
   */
  readonly idempotency?: boolean
  /** Called once for each operation whose responses have `Deprecation` or `Sunset`; `console.warn` by default. */
  readonly onDeprecation?: (event: DeprecationEvent) => void
  /** Called before each wait. */
  readonly onRetry?: (event: RetryEvent) => void
  /** Returns the time in milliseconds since the epoch; for tests. */
  readonly clock?: () => number
  /** Waits for a number of milliseconds; for tests. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
  /** Returns a number from 0 up to 1; for tests. */
  readonly random?: () => number
}
