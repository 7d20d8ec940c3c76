import type { MaybePromise } from '../base/maybe-promise.ts'
import type { ErrorCode } from './errors.ts'

/** A request as a mount passes it on. The service reads only the members that it needs. */
export interface ServiceRequest {
  /** Case-sensitive, such as `GET`. */
  readonly method: string
  /** The path and the query exactly as received: in origin form, absolute form, or `*` (RFC 9112, 3.2). */
  readonly target: string
  /** `1.0` or `1.1`; undefined if the platform has checked the framing and does not expose the version. */
  readonly httpVersion: string | undefined
  /** The address of the peer; undefined if the platform does not tell. The service reads `X-Forwarded-For` itself. */
  readonly client: string | undefined
  /**
   * The connection, such as the socket; undefined if the platform hides it. The service hashes the same key of a
   * connection once.
   */
  readonly connection?: object | undefined
  /** The error that the mount finds in the head of the request. The service sends it instead of running its own checks. */
  readonly headError?: Extract<ErrorCode, 'headers_too_large' | 'invalid_request'> | undefined
  /** Returns a header by its lower-case name, with repeated values joined by `, `; undefined if it is absent. */
  header(name: string): string | undefined
  /**
   * Returns the body, or a promise of it. The service calls it at most once, and only for an operation that has a body.
   * Throws `BodyFailure`, or rejects with it, if the body is longer than `maxBytes`, stalls, or is incomplete.
   */
  body(maxBytes: number): MaybePromise<Uint8Array>
}

/** A response, for a mount to write unchanged. */
export interface ServiceResponse {
  /** The HTTP status. */
  readonly status: number
  /** Names and values, alternating. The mount adds `Content-Length`. */
  readonly rawHeaders: readonly string[]
  /** The text of the body; undefined for none. In response to a HEAD, the mount sends only its length. */
  readonly body: string | undefined
  /** The length of the body in UTF-8, if it is known. */
  readonly bodyBytes?: number | undefined
}
