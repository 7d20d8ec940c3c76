import type { DeprecationEvent } from './types.ts'

/** A response and its body. */
export interface ReadResponse {
  readonly operation: DeprecationEvent['operation']
  readonly url: string
  readonly response: Response
  /** The bytes of the body. */
  readonly chunks: readonly Uint8Array[]
  /** `Retry-After` in milliseconds; undefined if it is absent, 0, past or unreadable. */
  readonly retryAfterMs: number | undefined
  /** Removes the API key from a text. */
  readonly conceal: (text: string) => string
}

/**
 * The error for a response that is not a success, or violates the interface. The API key is in none of its members, even
 * if the server repeats it.
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
  /** The name of the class. */
  override readonly name = 'PetApiError'
  /** The `code` of the Error body. `invalid_response` if the response violates the interface. */
  declare readonly code: string
  /** The status of the response, even if the Error body has another; 0 for a redirect in a browser. */
  declare readonly status: number
  /** `Retry-After`, in milliseconds from the response on; undefined if it is absent, past or unreadable. */
  declare readonly retryAfterMs: number | undefined
  /** `X-Request-Id`, for the operator of the deployment. */
  declare readonly requestId: string | undefined
  /** The response. Its body is already read. */
  declare readonly response: Response

  /** Creates the error of a response. Only the client does. */
  constructor(code: string, message: string, { response, retryAfterMs, conceal }: ReadResponse) {
    super(conceal(message))
    this.code = conceal(code)
    this.status = response.status
    this.retryAfterMs = retryAfterMs
    this.requestId = conceal(response.headers.get('X-Request-Id') ?? '') || undefined
    this.response = response
  }
}

/** Creates the error of a response that violates the interface. */
export function createInvalidResponse(read: ReadResponse, reason: string): PetApiError {
  const { operation, response } = read
  return new PetApiError('invalid_response', `${operation}, status ${response.status}: ${reason}`, read)
}

/** Creates the error of a response that is not a success. */
export function toError(read: ReadResponse): PetApiError {
  const { code, message, status } = Object(readJson(read).value)
  const isError = typeof code === 'string' && typeof message === 'string' && Number.isInteger(status)
  if (!isError || read.response.status < 400) return createInvalidResponse(read, 'the body is not an Error')
  const advice = read.response.status === 410 ? ' Removed on 5 December 2030: use list({ status }).' : ''
  return new PetApiError(code, message + advice, read)
}

/** A string without escaped quotes, or a number. */
const stringOrNumber = /"([^"]*)"|(-?\d[\d.e+-]*)/gi

/**
 * Returns the value of a JSON body, and the same value with the source text of each number, which `JSON.parse` may
 * round. Escaped quotes and backslashes in the second value are question marks. Both are undefined for any other body. The error of a parser is dropped: it can quote the body, and the body
 * the key.
 */
export function readJson({ chunks }: ReadResponse): { value?: unknown; exact?: unknown } {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode()
    const value: unknown = JSON.parse(text)
    const quoted = text.replace(/\\["\\]/g, '?').replace(stringOrNumber, '"$1$2"')
    return { value, exact: JSON.parse(quoted) }
  } catch {
    return {}
  }
}

/** Maximum size of a body, in bytes: more than a hundred animals with names of 40,000 characters have. */
const maxBytes = 2 ** 24

/** Returns the chunks of a body. Rejects if the connection is lost. */
export async function readBody(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
): Promise<readonly Uint8Array[]> {
  const chunks: Uint8Array[] = []
  for (let size = 0; reader && size < maxBytes; ) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    size += value.length
  }
  reader?.cancel().catch(() => {})
  return chunks
}

/** The parts of `Link` (RFC 8288, section 3): a target, a `rel`, or other text in quotes. */
const linkPart = /<([^<>]*)>|;\s*rel\s*=\s*("[^"]*"?|[^\s;,]*)|"(?:[^"\\]|\\.)*"?/gi

/** Returns the absolute address of the first link with one of the relations, which `|` separates. The first `rel` of a
 *  link counts. */
export function findLink({ response, url }: ReadResponse, relations: string): string | undefined {
  const wanted = new RegExp(`(^|[ "])(${relations})([ "]|$)`, 'i')
  let target: string | undefined
  for (const [, address, rel] of (response.headers.get('Link') ?? '').matchAll(linkPart)) {
    target = address ?? target
    if (!rel || target === undefined) continue
    if (wanted.test(rel)) return URL.canParse(target, url) ? new URL(target, url).href : undefined
    target = undefined
  }
  return undefined
}

/** Returns the number in a header, whatever its number of digits. If it is absent or unreadable, `fallback` or NaN. */
export function parseNumber(headers: Headers, name: string, fallback?: number): number {
  return Number(headers.get(name)?.match(/^\d+$/)?.[0] ?? fallback)
}

/**
 * Returns the time in a header, in milliseconds since the epoch; NaN if it is absent or unreadable. It may have each of
 * the three forms of RFC 9110, section 5.6.7.
 */
export function parseTime(headers: Headers, name: string): number {
  const [, date] = headers.get(name)?.match(/^([A-Z].+:\d\d( \d{4})?)( GMT)?$/) ?? []
  return Date.parse(`${date} GMT`)
}

/** Returns the milliseconds until a time of the server, by its `Date` or, without one, by the local clock. */
export function computeWaitMs(time: number, headers: Headers, now: number): number {
  return time - (parseTime(headers, 'Date') || now)
}

/** Returns `Retry-After` in milliseconds; undefined if it is absent, 0, past or unreadable. */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const ms =
    parseNumber(headers, 'Retry-After') * 1_000 ||
    computeWaitMs(parseTime(headers, 'Retry-After'), headers, now)
  return ms > 0 ? ms : undefined
}
