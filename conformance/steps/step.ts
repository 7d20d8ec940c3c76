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
 * How a request authenticates. The credential itself is never stored.
 *
 * - `key`: the API key
 * - `key-other-case`: the key with the scheme `bEaReR`
 * - `throttle-key`: the throttle key
 * - `throttle-key-in-query`: the throttle key as `access_token`, without a header
 * - `throttle-key-in-header`: the throttle key in `X-API-Key`
 * - `throttle-key-longer`, `throttle-key-shorter`: the throttle key with one character more or less
 * - `throttle-key-swapped-case`: the throttle key with its letters in the other case
 * - `unknown-key`: a random key
 * - `unknown-key-alike`: an unknown key that looks like the API key
 * - `other-scheme`: the key as the user name in the scheme Basic
 * - `token-scheme`: the key with the scheme `Token`
 * - `no-scheme`: the key without a scheme
 * - `empty-token`: `Bearer` without a token
 * - `none`: no credential
 */
export type Credential = (typeof credentials)[number]

/** What a run has learned from the responses so far, and the values it has drawn. */
export interface LearnedFacts {
  /** Text that every name in the run begins with. */
  readonly marker: string
  /** A random ID from the upper half of int64, which no animal should have. */
  readonly unknownId: string
  /** ID that a POST body asks for, to check that the server assigns its own. */
  readonly idInBody: string
  /** A listed animal's ID from the middle of the page, or `undefined` if none is listed. */
  readonly petId: string | undefined
  readonly firstPetId: string | undefined
  readonly lastPetId: string | undefined
  /** A listed ID plus 2^32. A server that reads 32 bits confuses the two. */
  readonly wrappedId: string | undefined
  readonly categoryId: string
  /** A category that no animal should have. The server rejects it if it checks categories. */
  readonly unlistedCategoryId: string
  /** The status for the filtered page, or `undefined` if no animal has a status. */
  readonly status: string | undefined
  /**
   * Whether that page can prove that filter and limit apply together: two listed animals have its status, and the first
   * listed animal has another one.
   */
  readonly statusDecides: boolean
  readonly filteredPageWasSent: boolean
  /** A status that two created animals have and the first listed animal does not. */
  readonly newStatus: string
  readonly otherCaseIsAccepted: boolean
  /** Whether the server rejected 9007199254740993 as a category with a 400. */
  readonly largeCategoryIsRejected: boolean
  readonly firstCreationIsAccepted: boolean
  /** Statuses that accepted creations have. `undefined` stands for a creation without a status. */
  readonly acceptedStatuses: readonly (string | undefined)[]
  /**
   * IDs from the parallel creations, in the order of the steps. An ID is `undefined` if getPet need not look for it.
   */
  readonly parallelIds: readonly (string | undefined)[]
  /** A created animal's ID for getPet: the animal with the large category, or else the first. */
  readonly createdId: string | undefined
  /** Steps whose response lacks a created animal, or shows it differently. They are sent again. */
  readonly unshownStepIds: readonly string[]
  readonly throttleKeyHasLetters: boolean
}

/** @internal Every `Method`. */
export const methods = ['GET', 'POST'] as const

/** The method of a request. Only a GET may be sent twice. Any other request has a body, which may be empty. */
export type Method = (typeof methods)[number]

/** A condition that is checked when a step is due, and its text in the plan. */
export interface Condition {
  readonly text: string
  readonly holds: (known: LearnedFacts) => boolean
}

/** One request in a run. Its parts depend on what the run has learned so far. */
export interface Step {
  /** ID of the exchange, the same in every run. Transcripts, rules and reports use it. */
  readonly id: string
  readonly credential: Credential
  readonly method: Method
  readonly target: (known: LearnedFacts) => string
  /** Creates the body. Absent if the request has none. */
  readonly body?: (known: LearnedFacts) => string
  /** `application/json` by default. */
  readonly contentType?: string
  /** Whether the body is a valid pet. For `open`, the interface does not say. */
  readonly creates?: 'valid' | 'invalid' | 'open'
  /** Consecutive steps with the same group are sent in parallel, each on its own connection. */
  readonly group?: string
  /** ID of the rule that judges an invalid body. */
  readonly rule?: string
  /**
   * Set if every value in the body is ordinary. Such bodies differ only in their status and in their name's last
   * letters.
   */
  readonly isOrdinary?: true
  /** ID of the step that this one repeats, with the same `Idempotency-Key`. */
  readonly repeats?: string
  /** Set if the request's path or method is not part of the interface. */
  readonly isOutside?: 'path' | 'method'
  readonly idempotencyKey?: (known: LearnedFacts) => string
  /** Condition for sending the request. It is always sent by default. */
  readonly when?: Condition
  /** Time to wait before the request, in milliseconds. */
  readonly delayMs?: number
  /** Replaces `when` in profiles that create animals. */
  readonly whenCreating?: Condition
  /**
   * Set if the step may be dropped when later steps need the remaining requests: `low` if no MUST needs it, `lowest` if
   * it only observes.
   */
  readonly priority?: 'low' | 'lowest'
  /** Set if the step replaces another one. The plan does not count the step. */
  readonly isAlternative?: true
  /** Set if the path or query is invalid, so that the server may reject the request. */
  readonly mayBeRejected?: true
  /** Sends a GET on the connection of the previous POST, if it is still open. Only AUTH-17 judges the response. */
  readonly sameConnection?: true
  /** Set if a 429 does not end the run. */
  readonly mayBeRateLimited?: true
}

/** Placeholders for a plan, in which nothing is known yet. */
export const placeholderFacts: LearnedFacts = {
  marker: '<run>',
  unknownId: '<unknown id>',
  idInBody: '<unlisted id>',
  petId: '<listed id>',
  firstPetId: '<first listed id>',
  lastPetId: '<last listed id>',
  wrappedId: '<listed id plus 2^32>',
  categoryId: '<categoryId>',
  unlistedCategoryId: '<unlisted category>',
  status: '<status>',
  statusDecides: true,
  filteredPageWasSent: true,
  newStatus: '<status>',
  otherCaseIsAccepted: true,
  largeCategoryIsRejected: false,
  firstCreationIsAccepted: true,
  acceptedStatuses: ['available', 'pending', 'sold', undefined],
  parallelIds: Array.from({ length: 4 }, () => '<new id>'),
  createdId: '<new id>',
  unshownStepIds: [],
  throttleKeyHasLetters: true,
}

/** Creates a listPets step with the main key. */
export function createListStep(id: string, query = ''): Step {
  return { id, credential: 'key', method: 'GET', target: () => `/pets${query}` }
}

/** Creates a getPet step with the main key. */
export function createGetStep(id: string, petId: (known: LearnedFacts) => string): Step {
  return { id, credential: 'key', method: 'GET', target: (known) => `/pets/${petId(known)}` }
}
