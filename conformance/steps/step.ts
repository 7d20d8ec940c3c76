/** @internal Every `Credential`. */
export const credentials = [
  'key',
  'key-other-case',
  'throttle-key',
  'throttle-key-in-query',
  'throttle-key-in-header',
  'throttle-key-longer',
  'throttle-key-shorter',
  'throttle-key-swapped-case',
  'unknown-key',
  'unknown-key-alike',
  'other-scheme',
  'token-scheme',
  'no-scheme',
  'empty-token',
  'none',
] as const

/**
 * The kind of credential in a request; the credential itself is never stored. `key-other-case` is the key in the scheme
 * `bEaReR`, `other-scheme` the key as the user of the scheme Basic, `token-scheme` the key in the scheme `Token`,
 * `no-scheme` the key without a scheme, `throttle-key-in-query` an `access_token` without a header, and
 * `throttle-key-in-header` an `X-API-Key`. `throttle-key-longer`, `throttle-key-shorter` and
 * `throttle-key-swapped-case` are the throttle key with one more character, with one less, and in the other case.
 * `unknown-key-alike` is an unknown key with the prefix, the length and the alphabet of the real one.
 */
export type Credential = (typeof credentials)[number]

/** Facts that the exchanges so far have shown. Later requests depend on them. */
export interface Known {
  /** Part of the name of every animal that the run creates. */
  readonly marker: string
  /** An id that no animal has: drawn at random from the upper half of int64. */
  readonly unknownId: string
  /** An id that a body requests, drawn at random. */
  readonly requestedId: string
  /** The id of a listed animal from the middle of the page. */
  readonly petId: string | undefined
  /** The id of the first listed animal. */
  readonly firstPetId: string | undefined
  /** The id of the last listed animal. */
  readonly lastPetId: string | undefined
  /** A listed id plus 2^32, which no listed animal has. */
  readonly wrappedId: string | undefined
  readonly categoryId: string
  /** A category of nine digits, drawn at random. */
  readonly otherCategoryId: string
  /** The status of the filtered page with `limit=1`; `undefined` if no listed animal has a status. */
  readonly status: string | undefined
  /**
   * True if that page can show that filter and limit both count: two listed animals have its status, and the first has
   * another one.
   */
  readonly statusDecides: boolean
  /** True if that page was sent. */
  readonly statusWasFiltered: boolean
  /** A status of two new animals that the first listed animal does not have. */
  readonly newStatus: string
  /** True if the key was accepted under the scheme `bEaReR`. */
  readonly otherCaseIsAccepted: boolean
  /** True if the int64 that a double cannot hold was rejected with 400. */
  readonly largeIsRejected: boolean
  /** True if the creation that is sent twice, without a status, was accepted the first time. */
  readonly noStatusIsAccepted: boolean
  /**
   * The id of a new animal to get: one that the pages of its status do not show as it was sent, else the one with the
   * int64, else the first.
   */
  readonly createdId: string | undefined
  /** True if getPet has returned that animal as it was sent. */
  readonly createdIsServed: boolean
  /** The statuses of pages that do not show a new animal as it was sent, although they must; `undefined`: no filter. */
  readonly doubtfulPages: readonly (string | undefined)[]
  /** True if the throttle key has a letter, so that the other case is another key. */
  readonly throttleKeyHasLetters: boolean
}

/** @internal Every `Method`. */
export const methods = ['GET', 'POST'] as const

/** The method of a request. Any other than GET has a body, which may be empty, and is never sent twice. */
export type Method = (typeof methods)[number]

/** A condition for sending a request. */
export interface Condition {
  readonly text: string
  readonly holds: (known: Known) => boolean
}

/** One request of a run. */
export interface Step {
  /** The id of the exchange, the same in every run. Transcripts, rules and reports use it. */
  readonly id: string
  readonly credential: Credential
  readonly method: Method
  readonly target: (known: Known) => string
  /** The text of the body; without it, a POST has no body. */
  readonly body?: (known: Known) => string
  /** `application/json` by default on a POST. */
  readonly contentType?: string
  /** True if the body of a POST is valid; an `invalid` one may also be one that the interface leaves open. */
  readonly creates?: 'valid' | 'invalid'
  /** The rule that requires a 400 for the body. */
  readonly rule?: string
  /** Set if every value in the body is ordinary: such bodies differ only in their status and the end of the name. */
  readonly isOrdinary?: true
  /** The creation that it repeats, with its `Idempotency-Key`: it may return the animal of that one. */
  readonly repeats?: string
  /** The part of the request that the interface does not have: its path, or its method. */
  readonly isOutside?: 'path' | 'method'
  /** The `Idempotency-Key` header; not sent by default. */
  readonly idempotencyKey?: (known: Known) => string
  /** The condition for sending it, with its text; without one, it is always sent. */
  readonly when?: Condition
  /** The wait before it, in milliseconds. */
  readonly after?: number
  /** The condition for sending it in profiles that create; `when` by default. */
  readonly inCreate?: Condition
  /**
   * Set if the step is sent only if the bound of the run leaves room for all later steps of a higher priority: `low` if
   * no MUST needs it, `lowest` if it only observes.
   */
  readonly priority?: 'low' | 'lowest'
  /** Set on a step that is sent only instead of another one, so that it adds nothing to the cost of a run. */
  readonly alternative?: true
  /** Set if its path or its query is not valid, so that it may be rejected. */
  readonly mayBeRejected?: true
  /** True if a 429 is expected. After any other step, a 429 ends the run. */
  readonly mayBeRateLimited?: true
}

/** Placeholders for values that a run learns or draws. */
export const unknown: Known = {
  marker: '<run>',
  unknownId: '<unknown id>',
  requestedId: '<unlisted id>',
  petId: '<listed id>',
  firstPetId: '<first listed id>',
  lastPetId: '<last listed id>',
  wrappedId: '<listed id plus 2^32>',
  categoryId: '<categoryId>',
  otherCategoryId: '<unlisted category>',
  status: '<status>',
  statusDecides: true,
  statusWasFiltered: true,
  newStatus: '<status>',
  otherCaseIsAccepted: true,
  largeIsRejected: false,
  noStatusIsAccepted: true,
  createdId: '<new id>',
  createdIsServed: false,
  doubtfulPages: [],
  throttleKeyHasLetters: true,
}

/** Returns a step that lists animals with the key. */
export function list(id: string, query = ''): Step {
  return { id, credential: 'key', method: 'GET', target: () => `/pets${query}` }
}

/** Returns a step that gets one animal with the key. */
export function get(id: string, petId: (known: Known) => string): Step {
  return { id, credential: 'key', method: 'GET', target: (known) => `/pets/${petId(known)}` }
}
