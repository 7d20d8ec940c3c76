import type { ErrorCode } from './errors.ts'

/** A request as a mount hands it over: nothing is built that the pipeline may not need. */
export interface ServiceRequest {
  readonly method: string
  /** Path and query exactly as received: in origin form, absolute form, or `*` (RFC 9112, 3.2). */
  readonly target: string
  /** `1.0` or `1.1`; undefined where the platform has read the framing, and does not tell. */
  readonly httpVersion: string | undefined
  /** The peer's address; undefined where the platform does not tell. Proxies are seen through by the service. */
  readonly client: string | undefined
  /** A header by its lower-case name, its repeated values joined by `, `. */
  header(name: string): string | undefined
  /**
   * Reads the body. Called once at the most, and only when an operation needs it.
   * Rejects with `BodyFailure` when it is longer than `maxBytes`, stops arriving, or breaks off.
   */
  body(maxBytes: number): Promise<Uint8Array>
}

/** An answer, for a mount to write as it is. */
export interface ServiceResponse {
  readonly status: number
  /** Names and values in turn. The mount adds `Content-Length`. */
  readonly headers: readonly string[]
  /** The body's text; to a HEAD the mount sends only its length. Undefined for none. */
  readonly body: string | undefined
}

/** Why a body could not be read; it becomes the Error of the same code. */
export class BodyFailure extends Error {
  override readonly name = 'BodyFailure'
  readonly code: Extract<ErrorCode, 'body_too_large' | 'request_timeout' | 'invalid_request'>

  constructor(code: BodyFailure['code'], options?: { cause?: unknown }) {
    super(code, options)
    this.code = code
  }
}
