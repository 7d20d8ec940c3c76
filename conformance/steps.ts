import type { Credential } from './transcript/transcript.ts'

/** What the exchanges so far have shown, on which later requests depend. */
export interface Known {
  /** Part of the name of every animal that the run creates. */
  readonly marker: string
  /** An id that no animal has: drawn at random from the upper half of int64. */
  readonly unknownId: string
  /** An id that a body requests, drawn at random. */
  readonly requestedId: string
  /** The id of a listed animal. */
  readonly petId: string | undefined
  readonly categoryId: string
  /** The status of the filtered page with `limit=1`. */
  readonly status: string
  /** The id of the first animal that the run created. */
  readonly createdId: string | undefined
  /** Whether getPet has returned that animal. */
  readonly createdIsServed: boolean
  /** The id of an animal that the run created and that is not on a complete page of its status. */
  readonly missingId: string | undefined
}

/** One request of a run. */
export interface Step {
  /** The id of the exchange. */
  readonly id: string
  readonly credential: Credential
  readonly method: 'GET' | 'POST'
  readonly target: (known: Known) => string
  /** The text of the body; without it, a POST has no body. */
  readonly body?: (known: Known) => string
  /** `application/json` by default on a POST. */
  readonly contentType?: string
  /** Whether the body of a POST is valid. An animal may be created in either case. */
  readonly creates?: 'valid' | 'invalid'
  /** The condition on which it is sent, with its text; without one, it is always sent. */
  readonly when?: { readonly text: string; readonly holds: (known: Known) => boolean }
  /** The wait before it, in milliseconds. */
  readonly after?: number
  /** Whether a 429 is expected. After any other step, a 429 ends the run. */
  readonly mayBeRateLimited?: true
}

/** Returns a step that lists animals with the key. */
export function list(id: string, query = ''): Step {
  return { id, credential: 'key', method: 'GET', target: () => `/pets${query}` }
}

/** Returns a step that gets one animal with the key. */
export function get(id: string, petId: (known: Known) => string): Step {
  return { id, credential: 'key', method: 'GET', target: (known) => `/pets/${petId(known)}` }
}
