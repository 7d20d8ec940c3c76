import type { MaybePromise } from '../base/maybe-promise.ts'
import type { ErrorCode } from './errors.ts'

/**
 * A request to the service. A mount creates it from its platform's request. The service reads only the members that it
 * needs.
 */
export interface ServiceRequest {
  /** The method, such as `GET`. Case-sensitive. */
  readonly method: string
  /** The request target exactly as received: a path with an optional query, a URL, or `*` (RFC 9112, 3.2). */
  readonly target: string
  /** `1.0` or `1.1`, or `undefined` if the platform has checked the framing and does not expose the version. */
  readonly httpVersion: string | undefined
  /** The peer's address, or `undefined` if it is unknown. The service reads `X-Forwarded-For` itself. */
  readonly clientAddress: string | undefined
  /**
   * The connection, such as the socket, or `undefined` if the platform hides it. The service hashes an API key once per
   * connection.
   */
  readonly connection?: object | undefined
  /** The error that the mount found in the request's head. The service responds with it and skips its own checks. */
  readonly headError?: Extract<ErrorCode, 'headers_too_large' | 'invalid_request'> | undefined
  /** Returns a header by its lower-case name, or `undefined` if it is absent. Repeated values are joined by `, `. */
  header(name: string): string | undefined
  /**
   * Returns the body, or a promise for it. The service calls this at most once, and only for an operation with a body.
   *
   * @param maxBytes - Maximum body length in bytes.
   * @throws {BodyError} If the body is too long, stalls or is incomplete. A promise rejects with the same error.
   */
  body(maxBytes: number): MaybePromise<Uint8Array>
}

/** A response from the service. A mount sends it unchanged. */
export interface ServiceResponse {
  /** HTTP status. */
  readonly status: number
  /** Headers, as alternating names and values. The mount adds `Content-Length`. */
  readonly rawHeaders: readonly string[]
  /** The body, or `undefined` for none. In response to HEAD, a mount sends only its length. */
  readonly body: string | undefined
  /** The body's length in bytes when it is encoded in UTF-8, if the length is known. */
  readonly bodyBytes?: number | undefined
}
