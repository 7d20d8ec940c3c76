import type { ApiError } from './errors.ts'

/** The result of a request, without the headers that every response has. */
export type Result = ApiError | Success

/** The result of an operation, or of a preflight. */
export interface Success {
  readonly status: 200 | 201 | 204
  /** The text of the body; undefined with a 204. */
  readonly body: string | undefined
  /** The length of the body in UTF-8, if it is known. */
  readonly bodyBytes?: number | undefined
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[]
}
