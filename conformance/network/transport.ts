import type { Method } from '../steps/step.ts'
import type { HeaderList } from '../transcript/transcript.ts'
import type { Deadline, ReadBody } from './read-body.ts'

/** A request as it goes over the wire, secrets included. */
export interface WireRequest {
  readonly method: Method
  readonly url: URL
  /** Without `Host`, `Connection` and `Content-Length`, which the transport adds. */
  readonly headers: HeaderList
  /** `undefined`: no body, which a POST sends as `Content-Length: 0`. */
  readonly body: string | undefined
  /** Opens a connection if set. Otherwise the request continues on the last one, if it is still open. */
  readonly isFresh: boolean
  /** Maximum number of bytes of the body to read. */
  readonly most: number
  readonly deadline: Deadline
}

/** The result of a request. */
export type Received = {
  /** Set if the connection had carried another request before; `undefined` if the transport does not know. */
  readonly isReused: boolean | undefined
} & (
  | {
      readonly kind: 'response'
      readonly status: number
      /** Names in lower case. */
      readonly headers: HeaderList
      readonly body: ReadBody
    }
  | {
      readonly kind: 'error'
      readonly error: unknown
      readonly failure: Failure
    }
)

/**
 * The kind of failure of a request: the connection was open and `closed` before a response, the response is `malformed` HTTP, or
 * anything else.
 */
export type Failure = 'closed' | 'malformed' | 'other'

/** Sends requests, one at a time. Follows no redirect, and repeats nothing. */
export interface Transport {
  /** Never rejects: an error is a result too. */
  send(request: WireRequest): Promise<Received>
  /** Closes the connections. */
  close(): void
}
