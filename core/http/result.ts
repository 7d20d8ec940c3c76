import type { ApiError } from './errors.ts'

/** The result for a request, before common response headers are added. */
export type Result = ApiError | Success

/** A response that is not an error. */
export interface Success {
  readonly status: 200 | 201 | 204
  /** The JSON body, or `undefined` if there is no body. */
  readonly body: string | undefined
  /** The body's length in bytes when it is encoded in UTF-8, if the length is known. */
  readonly bodyBytes?: number | undefined
  /** Additional headers, as alternating names and values. */
  readonly rawHeaders: readonly string[]
}
