/** Whether an animal can be adopted (interface, section 3). */
export type PetStatus = 'available' | 'pending' | 'sold'

/** An animal, as the server returns it. */
export interface Pet {
  /** Assigned by the server. An int64 is a bigint, so no digit is lost. */
  readonly id: bigint
  /** The animal's name. */
  readonly name: string
  /** An int64. */
  readonly categoryId: bigint
  /** The status. Some deployments store animals without one. */
  readonly status?: PetStatus
  /** Members that the interface does not define, as `JSON.parse` returns them. */
  readonly [member: string]: unknown
}

/** An animal to create. */
export interface NewPet {
  /** The animal's name. */
  readonly name: string
  /** An int64. A number must be a safe integer. */
  readonly categoryId: bigint | number
  /**
   * The status.
   *
   * @default the deployment's default status
   */
  readonly status?: PetStatus | undefined
  /** Members that the interface does not define are sent unchanged. */
  readonly [member: string]: unknown
}

/** Which animals to list (interface, section 4). */
export interface ListQuery {
  /**
   * Maximum number of animals per page, from 1 to 100. Iteration returns all pages, whatever their size.
   *
   * @default 20
   */
  readonly limit?: number | undefined
  /** Returns only animals with this status. */
  readonly status?: PetStatus | undefined
  /**
   * Returns only animals with an id greater than this, if the deployment supports the parameter. Services from this
   * package do.
   */
  readonly after?: bigint | number | undefined
}

/** Options for a single call. */
export interface CallOptions {
  /** Aborts the call, including its waits and retries. The call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Options for {@link PetClient.create}. */
export interface CreateOptions extends CallOptions {
  /**
   * The `Idempotency-Key` header: 1 to 255 visible ASCII characters except `"` and `\`. Repeat it to make sure that an
   * animal is created only once, for example after a crash.
   *
   * @default a random UUID for each call, unless `idempotency` is `false`
   */
  readonly idempotencyKey?: string | undefined
}

/** One page from a list. */
export interface PetPage {
  /** The animals on the page. */
  readonly pets: readonly Pet[]
  /**
   * The next page's URL, or `undefined` on the last page. Pass it to {@link PetClient.list}. A deployment that sends no
   * `Link` header has only one page.
   */
  readonly next: string | undefined
}

/**
 * A list that can be iterated. Iteration requests one page at a time, and starts from the first page again each time.
 */
export interface PetList extends AsyncIterable<Pet> {
  /** Requests a single page. */
  page(): Promise<PetPage>
}

/**
 * A client for a pet API deployment, with one API key.
 *
 * Methods reject with a {@link PetApiError} if the server returns an error, with the error from `fetch` if the
 * connection fails, with a `TimeoutError` if a request takes too long, and with the signal's reason if it aborts. A
 * `TypeError` is thrown before anything is sent.
 */
export interface PetClient {
  /**
   * Lists animals (section 4.1). The request is sent when the list is iterated or a page is requested.
   *
   * @param query - Which animals to list, or a page URL.
   * @throws {TypeError} A parameter or an option is unknown or invalid.
   */
  list(query?: ListQuery | string, options?: CallOptions): PetList
  /**
   * Creates an animal (section 4.2). A repeated call with the same idempotency key returns the same animal.
   *
   * @throws {TypeError} A member or an option is missing, unknown or invalid.
   */
  create(newPet: NewPet, options?: CreateOptions): Promise<Pet>
  /**
   * Returns the animal with this id (section 4.3).
   *
   * @throws {TypeError} The id or an option is missing, unknown or invalid.
   * @deprecated The operation will be removed on 5 December 2030. Use `list({ status })` instead.
   */
  get(id: bigint | number, options?: CallOptions): Promise<Pet>
}

/** A wait for the rate limit, or before a retry. */
export interface RetryEvent {
  /** How many times the call has waited, including this time. */
  readonly attempt: number
  /** How long the client waits, in milliseconds. */
  readonly waitMs: number
  /**
   * The response status that caused the wait, or `undefined` if there was no response. Another call on the same client
   * may have received it.
   */
  readonly status: number | undefined
  /** The error that caused the wait, or `undefined` if `waitForReset` delays the call. */
  readonly cause: unknown
}

/** The first response from a deprecated operation. */
export interface DeprecationEvent {
  /** The deprecated operation. */
  readonly operation: 'listPets' | 'createPet' | 'getPet'
  /** When the operation will be removed, from the `Sunset` header, or `undefined` if the header is missing. */
  readonly removal: Date | undefined
  /** The absolute URL for the replacement or a notice, from the `Link` header, or `undefined` if there is none. */
  readonly link: string | undefined
}

/** Options for {@link createPetClient}. */
export interface PetClientOptions {
  /** The deployment's base URL, such as `https://pets.example.com/v1`, without credentials, query and fragment. */
  readonly baseUrl: string | URL
  /** The API key: visible ASCII characters. */
  readonly apiKey: string
  /**
   * The function that sends requests.
   *
   * @default `globalThis.fetch` when a request is sent
   */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /**
   * Whether to wait while `X-RateLimit-Remaining` is 0. Otherwise, the client waits only after a 429.
   *
   * @default false
   */
  readonly waitForReset?: boolean | undefined
  /**
   * Maximum total time that a call waits for the rate limit and before retries, in milliseconds: an integer, 0 or more.
   *
   * @default 120_000
   */
  readonly maxWaitMs?: number | undefined
  /**
   * Maximum number of retries after a 502, 503 or 504, or after a failed connection: an integer, 0 or more. Retries
   * after a 429 do not count.
   *
   * @default 4
   */
  readonly maxRetries?: number | undefined
  /**
   * Maximum time for a single request and its response, in milliseconds: an integer, 0 or more.
   *
   * @default 30_000
   */
  readonly timeoutMs?: number | undefined
  /**
   * Whether the deployment supports the `Idempotency-Key` header. If `false`, a creation without an explicit
   * idempotency key is retried only after a 429, or a 503 with `Retry-After`, because other failed requests may have
   * created the animal.
   *
   * @default true
   */
  readonly idempotency?: boolean | undefined
  /**
   * Called for the first response with a `Deprecation` or `Sunset` header from each operation. Errors are ignored.
   *
   * @default prints a warning with `console.warn`
   */
  readonly onDeprecation?: ((event: DeprecationEvent) => void) | undefined
  /** Called before each wait. Errors are ignored. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined
  /**
   * Returns the time in milliseconds since the epoch. For tests.
   *
   * @default a clock that system time changes do not affect
   */
  readonly clock?: (() => number) | undefined
  /** Waits for `ms` milliseconds, or until the signal aborts. For tests. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined
  /** Returns a random number from 0 to 1, as `Math.random` does. For tests. */
  readonly random?: (() => number) | undefined
}
