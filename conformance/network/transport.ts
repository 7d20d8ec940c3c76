import type { Method } from '../steps/step.ts'
import type { HeaderList } from '../transcript/transcript.ts'
import type { BodyBytes, Deadline } from './read-body.ts'

/** A request as it is sent, including its secrets. */
export interface WireRequest {
  readonly method: Method
  readonly url: URL
  /** The headers, without `Host`, `Connection` and `Content-Length`, which the transport adds. */
  readonly headers: HeaderList
  /** The body, if any. A POST without a body has `Content-Length: 0`. */
  readonly body: string | undefined
  /** Whether to open a new connection. Otherwise, the request uses the previous connection if it is still open. */
  readonly opensConnection: boolean
  /**
   * Set for parallel requests, which have separate connections. Called when the connection is open. The request is sent
   * when the promise resolves.
   */
  readonly beforeSend?: () => Promise<void>
  /** Maximum size of the response body, in bytes. */
  readonly maxBytes: number
  readonly deadline: Deadline
}

/** The response to a request, or the error if there is no response. */
export type TransportResult = {
  /** Whether an earlier request used the connection. `undefined` if the transport does not know. */
  readonly isReused: boolean | undefined
} & (
  | {
      readonly kind: 'response'
      readonly status: number
      /** The headers, with names in lower case. */
      readonly headers: HeaderList
      readonly body: BodyBytes
    }
  | {
      readonly kind: 'error'
      readonly error: unknown
      readonly failure: FailureKind
    }
)

/** Why there is no response: the connection was closed, the response is not HTTP, or another reason. */
export type FailureKind = 'closed' | 'malformed' | 'other'

/** Sends requests to the deployment, without following redirects or retrying. */
export interface Transport {
  /** Sends a request. Never rejects. */
  send(request: WireRequest): Promise<TransportResult>
  /** Closes the connection. */
  close(): void
}
