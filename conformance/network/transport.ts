import type { HeaderList } from '../transcript/transcript.ts'
import type { Deadline } from './deadline.ts'
import type { ReadBody } from './read-body.ts'

/** A request as it goes over the wire, secrets included. */
export interface WireRequest {
  readonly method: string
  readonly url: URL
  /** Without `Host`, `Connection` and `Content-Length`, which the transport adds. */
  readonly headers: HeaderList
  /** `undefined`: no body, which a POST sends as `Content-Length: 0`. */
  readonly body: string | undefined
  /**
   * `shared` continues on the connection of the request before, if it is still open. `fresh` opens a connection, on which
   * later requests continue. `own` opens a connection for this request alone.
   */
  readonly connection: 'shared' | 'fresh' | 'own'
  /** The most bytes of the body to read. */
  readonly most: number
  readonly deadline: Deadline
}

/** The connection that a request was sent on. */
export interface UsedConnection {
  /** Numbers the connections of a run. */
  readonly number: number
  /** Whether another request was sent on it before. */
  readonly isReused: boolean
}

/** What came of a request. */
export type Received = {
  /** Absent if the transport does not know its connections, or opened none. */
  readonly connection?: UsedConnection
} & (
  | {
      readonly kind: 'response'
      readonly status: number
      /** Names in lower case. */
      readonly headers: HeaderList
      readonly body: ReadBody
      /** Whether bytes follow the response that no request has asked for. */
      readonly isFollowed: boolean
    }
  | {
      readonly kind: 'error'
      readonly error: unknown
      readonly failure: Failure
    }
)

/**
 * How a request failed: the connection was open and `closed` before the first byte of a response, the response is
 * `malformed` HTTP, or anything else.
 */
export type Failure = 'closed' | 'malformed' | 'other'

/** Sends requests, one at a time. Follows no redirect, and repeats nothing. */
export interface Transport {
  /** Never rejects: an error is a result too. */
  send(request: WireRequest): Promise<Received>
  /** Closes the connections. */
  close(): void
}
