import type { ServiceResponse } from '../http/http.ts'
import type { Caller } from '../keys/auth.ts'
import type { Decision } from '../limits/bucket.ts'

/** Whether a request to a route of the embedder is served. */
export type Authorization =
  | {
      readonly authorized: true
      /** The owner of the key. */
      readonly caller: Caller
      /** The numbers of the caller, after this request is charged. */
      readonly decision: Decision
      /** The headers that every response to this request needs, names and values in turn: those of the rate limit, and more. */
      readonly headers: readonly string[]
    }
  | {
      readonly authorized: false
      /** The response to write unchanged: an error such as 401 or 429, or the response to a preflight. */
      readonly response: ServiceResponse
    }
