import type { DeprecationEvent } from './types.ts'

/** A response whose body has been read. */
export interface ReadResponse {
  readonly operation: DeprecationEvent['operation']
  readonly url: string
  readonly response: Response
  /** The body. A body that is longer than {@link maxBodyBytes} is truncated. */
  readonly chunks: readonly Uint8Array[]
  /** When the response arrived, in milliseconds since the epoch. */
  readonly now: number
  readonly apiKey: string
}

/**
 * An error response from the server, or a response that does not follow the interface. The message never contains the
 * API key, even if the server repeats it.
 *
 * @example
 * import { createPetClient, PetApiError } from 'pet-adoption-service/client'
 *
 * const pets = createPetClient({ baseUrl: 'https://pets.example.com/v1', apiKey: 'my-first-long-api-key' })
 * const rex = await pets.create({ name: 'Rex', categoryId: 7n }).catch((error) => {
 *   if (error instanceof PetApiError && error.code === 'invalid_pet') return undefined
 *   throw error
 * })
 */
export class PetApiError extends Error {
  /** Always `'PetApiError'`. */
  override readonly name = 'PetApiError'
  /**
   * The error code from the response body, such as `pet_not_found`. The code is `invalid_response` if the response does
   * not follow the interface.
   */
  declare readonly code: string
  /**
   * The HTTP status code, even if the response body has a different one. The status is 0 for a redirect in a browser.
   */
  declare readonly status: number
  /** The `Retry-After` header in milliseconds, or `undefined` if the header is missing, invalid or in the past. */
  declare readonly retryAfterMs: number | undefined
  /** The `X-Request-Id` header, or `undefined` if it is missing. */
  declare readonly requestId: string | undefined
  /** The response. Its body has already been read. */
  declare readonly response: Response

  /** The API key is replaced by `***` in the message. */
  constructor(code: string, message: string, { response, now, apiKey }: ReadResponse) {
    super(message.replaceAll(apiKey, '***'))
    this.code = code
    this.status = response.status
    this.retryAfterMs = parseRetryAfter(response.headers, now)
    this.requestId = response.headers.get('X-Request-Id') ?? undefined
    this.response = response
  }
}

/** Creates an error for a response that does not follow the interface. */
export function createInvalidResponse(read: ReadResponse, reason: string): PetApiError {
  const { operation, response } = read
  return new PetApiError('invalid_response', `${operation}, status ${response.status}: ${reason}`, read)
}

/** Converts an error response to a {@link PetApiError}. */
export function toError(read: ReadResponse): PetApiError {
  const { code, message, status } = Object(readJson(read).value)
  const isError = typeof code === 'string' && typeof message === 'string' && Number.isInteger(status)
  if (!isError || read.response.status < 400) return createInvalidResponse(read, 'the body must be an Error')
  return new PetApiError(code, message, read)
}

/** Matches a JSON string without escaped quotes, or a number. */
const stringOrNumberPattern = /"([^"]*)"|(-?\d[\d.e+-]*)/gi

/**
 * Parses a response body as JSON. `exact` has the same structure as `value`, with every number as a string, so int64s
 * keep all digits. In `exact`, escaped quotes and backslashes are replaced by question marks.
 *
 * Returns an empty object if the body is not valid JSON in UTF-8. The parser's error is dropped, because it may quote
 * the API key.
 */
export function readJson({ chunks }: ReadResponse): { value?: unknown; exact?: unknown } {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    const bodyText =
      chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode()
    const value: unknown = JSON.parse(bodyText)
    const quotedNumbers = bodyText.replace(/\\["\\]/g, '?').replace(stringOrNumberPattern, '"$1$2"')
    return { value, exact: JSON.parse(quotedNumbers) }
  } catch {
    return {}
  }
}

/** Maximum response body size, 8 MiB. A page with 100 names that have 40,000 characters each is smaller. */
const maxBodyBytes = 2 ** 23

/** Reads a response body in chunks, and cancels a body that is too long. */
export async function readBody({ body }: Response): Promise<readonly Uint8Array[]> {
  const reader = body?.getReader?.() // React Native responses have no `getReader`
  const chunks: Uint8Array[] = []
  for (let size = 0; reader && size < maxBodyBytes; ) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    size += value.length
  }
  reader?.cancel().catch(() => {})
  return chunks
}

/**
 * Parses a header as a non-negative integer. Returns the fallback if the header is missing or invalid, `NaN` by
 * default.
 */
export function parseNumber(headers: Headers, name: string, fallback?: number): number {
  return Number(headers.get(name)?.match(/^\d+$/)?.[0] ?? fallback)
}

/**
 * Parses an HTTP date in all three formats (RFC 9110, section 5.6.7). Returns milliseconds since the epoch, or `NaN`.
 */
export function parseTime(headers: Headers, name: string): number {
  const [, date] = headers.get(name)?.match(/(.+:\d\d( \d{4})?)( GMT)?$/) ?? []
  return Date.parse(`${date} GMT`)
}

/**
 * Returns how long it is until a server time, in milliseconds. The `Date` header replaces the local clock if it is
 * present.
 */
export function computeWaitMs(time: number, headers: Headers, now: number): number {
  return time - (parseTime(headers, 'Date') || now)
}

/** Parses `Retry-After` as milliseconds. Returns `undefined` if the header is missing, invalid, 0 or in the past. */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const delayMs =
    parseNumber(headers, 'Retry-After') * 1_000 ||
    computeWaitMs(parseTime(headers, 'Retry-After'), headers, now)
  return delayMs > 0 ? delayMs : undefined
}
