import type { Credential } from './transcript/transcript.ts'

/** What earlier exchanges of the run have shown, for the later ones to ask about. */
export interface Known {
  /** In the name of every animal that the run creates. */
  readonly marker: string
  /** An int64 of its upper half, drawn for the run. */
  readonly unknownId: string
  /** An id for a body to ask for, drawn for the run. */
  readonly requestedId: string
  /** A listed animal's id. */
  readonly petId: string | undefined
  readonly categoryId: string
  /** The status that a small filtered page is asked for. */
  readonly status: string
  /** The first animal that the run created. */
  readonly createdId: string | undefined
  /** Whether getPet has served it. */
  readonly createdIsServed: boolean
  /** One that the run created and a complete page of its status does not show. */
  readonly missingId: string | undefined
}

/** One exchange of a plan. */
export interface Step {
  /** The exchange's id. */
  readonly id: string
  readonly credential: Credential
  readonly method: 'GET' | 'POST'
  readonly target: (known: Known) => string
  /** The body's text; a POST without one is sent empty. */
  readonly body?: (known: Known) => string
  /** `application/json` by default on a POST. */
  readonly contentType?: string
  /** Whether the body of a POST is one that the spec allows: then it may create an animal. */
  readonly creates?: 'valid' | 'invalid'
  /** When it is sent, in words and as a condition; absent: always. */
  readonly when?: { readonly says: string; readonly holds: (known: Known) => boolean }
  /** How long to wait before it, in milliseconds. */
  readonly after?: number
  /** A 429 is what it is after; to any other step it ends the run. */
  readonly mayBeRateLimited?: true
}

/** A step that lists animals with the key. */
export function list(id: string, query = ''): Step {
  return { id, credential: 'key', method: 'GET', target: () => `/pets${query}` }
}

/** A step that gets one animal with the key. */
export function get(id: string, petId: (known: Known) => string): Step {
  return { id, credential: 'key', method: 'GET', target: (known) => `/pets/${petId(known)}` }
}
