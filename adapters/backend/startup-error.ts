/**
 * Why a backend cannot be opened.
 *
 * - `missing_driver`: the driver is not installed, or is another package
 * - `invalid_address`: the address or one of its parameters is not valid
 * - `unusable`: somebody has to fix something first, such as a password, a privilege or the schema version
 * - `unavailable`: the server cannot be reached or failed, and a retry may succeed
 */
export type StartupErrorCode = 'missing_driver' | 'invalid_address' | 'unusable' | 'unavailable'

/** Thrown if a backend cannot be opened. The message explains what to do, and contains no password. */
export class StartupError extends Error {
  /** Name of the class, which is the same in every copy of the package. */
  override readonly name = 'StartupError'
  /** Why the backend cannot be opened. */
  readonly code: StartupErrorCode

  /** Creates an error for a code. */
  constructor(code: StartupErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}
