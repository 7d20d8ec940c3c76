import type { DeprecationEvent } from './types.ts'

/** A response whose body has been read. */
export interface Reply {
  readonly operation: DeprecationEvent['operation']
  readonly url: string
  readonly response: Response
  readonly body: ArrayBuffer
  /** By the client's clock, in milliseconds since the epoch. */
  readonly receivedAt: number
  /** Removes the API key from a text. */
  readonly conceal: (text: string) => string
}

/**
 * A response that is no success, or not what the interface says. Its message never has the API key.
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
  /** The `code` of the Error body; `invalid_response` for a response that is not what the interface says. */
  readonly code: string
  /** The status of the response, also where the Error body has another; 0 for a redirect in a browser. */
  readonly status: number
  /** What `Retry-After` says, in milliseconds from the response on; undefined if it is absent, past or unreadable. */
  readonly retryAfterMs: number | undefined
  /** `X-Request-Id`, for the operator of the deployment. */
  readonly requestId: string | undefined
  /** The response. Its body has been read. */
  readonly response: Response

  /** The client creates it from a response. */
  constructor(code: string, message: string, { response, receivedAt, conceal }: Reply) {
    super(conceal(message))
    this.code = code
    this.status = response.status
    this.retryAfterMs = retryAfterMs(response.headers, receivedAt)
    this.requestId = conceal(response.headers.get('X-Request-Id') ?? '') || undefined
    this.response = response
  }
}

/** Returns the error of a response that is not what the interface says. */
export function invalidResponse(reply: Reply, what: string): PetApiError {
  const { operation, response } = reply
  return new PetApiError('invalid_response', `${operation}, status ${response.status}: ${what}`, reply)
}

const removal = 'Removed on 5 December 2030: use list({ status }).'

/** Returns the error of a response that is no success. */
export function errorOf(reply: Reply): PetApiError {
  const { code, message, status } = Object(parseJson(reply).value)
  const isError = typeof code === 'string' && typeof message === 'string' && Number.isInteger(status)
  if (!isError || reply.response.status < 400) return invalidResponse(reply, 'the body is not an Error')
  return new PetApiError(code, reply.response.status === 410 ? `${message} ${removal}` : message, reply)
}

/**
 * Returns the value of a JSON body, undefined for any other body; and the same value with the source text of each
 * number in its place, since `JSON.parse` rounds int64. What a parser throws may quote the body, and the body the key:
 * it stays here.
 */
export function parseJson({ body }: Reply): { value?: unknown; texts?: unknown } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    const value: unknown = JSON.parse(text)
    // Without escaped quotes, a string ends at the next quote, and a simple expression finds strings and numbers.
    const plain = text.replace(/\\["\\]/g, (pair) => (pair === '\\"' ? '\\u0022' : pair))
    const texts = plain.replace(/"[^"]*"|-?\d[\d.eE+-]*/g, (token) =>
      token[0] === '"' ? token : `"${token}"`,
    )
    return { value, texts: JSON.parse(texts) }
  } catch {
    return {}
  }
}

/** How much of a body is read, in bytes: more than a hundred animals with names of 40,000 characters have. */
const maxBytes = 2 ** 24

/** Returns the body of a response. Rejects if the connection is lost. */
export async function readBody({ body }: Response): Promise<ArrayBuffer> {
  const reader = body?.getReader()
  const chunks: BlobPart[] = []
  for (let size = 0; reader && size < maxBytes; ) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    size += value.length
  }
  reader?.cancel().catch(() => {})
  return new Blob(chunks).arrayBuffer()
}

/** The parts of `Link` (RFC 8288, 3): a target, a `rel`, or other text in quotes. */
const linkPart = /<([^<>]*)>|;\s*rel\s*=\s*("[^"]*"?|[^\s;,]*)|"(?:[^"\\]|\\.)*"?/gi

/**
 * Returns the absolute address of the first link with one of the relations, which `|` separates. Of the `rel` of one
 * link the first counts.
 */
export function linkOf({ response, url }: Reply, relations: string): string | undefined {
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

/** Returns the number of a header, however many digits it has; NaN if it is absent or unreadable. */
export function numberOf(headers: Headers, name: string): number {
  return Number(/^\d+$/.exec(headers.get(name) ?? '')?.[0] ?? Number.NaN)
}

/** Returns the time of a header, in ms since the epoch (RFC 9110, 5.6.7); NaN if it is absent or unreadable. */
export function timeOf(headers: Headers, name: string): number {
  return Date.parse(/^[A-Z][a-z]+, [\w -]{9,11} [\d:]{8} GMT$/.exec(headers.get(name) ?? '')?.[0] ?? '')
}

/** Returns how long it is until a time of the server, by its `Date`, or else by the local clock. */
export function untilMs(time: number, headers: Headers, now: number): number {
  return time - (timeOf(headers, 'Date') || now)
}

/** Returns the milliseconds of `Retry-After`; undefined if it is absent, 0, past or unreadable. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const ms = numberOf(headers, 'Retry-After') * 1_000 || untilMs(timeOf(headers, 'Retry-After'), headers, now)
  return ms > 0 ? ms : undefined
}
