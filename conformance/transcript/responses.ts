import { STATUS_CODES } from 'node:http'
import { findStep } from '../steps/phases.ts'
import type { Credential } from '../steps/step.ts'
import { maxBodyBytes, maxRunBytes, shorten } from './bounds.ts'
import { isObject, type Json } from './json.ts'
import { readJson } from './json-reader.ts'
import { memoize } from './memoize.ts'
import { type Pet, parsePet } from './pets.ts'
import type { Exchange, ReceivedResponse, Transcript } from './transcript.ts'

/** An exchange that has a response. */
export interface RecordedResponse {
  /** The exchange's id, which names its step. */
  readonly id: string
  readonly exchange: Exchange
  readonly response: ReceivedResponse
}

/**
 * Lists a run's responses in request order. Steps that must reuse a connection are left out, as leftover bytes can
 * spoil their responses.
 */
export const listResponses: (transcript: Transcript) => readonly RecordedResponse[] = memoize(
  ({ exchanges }) =>
    exchanges.flatMap((exchange) =>
      findStep(exchange.id)?.sameConnection ? [] : (toRecorded(exchange) ?? []),
    ),
)

const toRecorded: (exchange: Exchange) => RecordedResponse | undefined = memoize(
  (exchange) => exchange.response && { id: exchange.id, exchange, response: exchange.response },
)

/** Returns when a response was complete, in milliseconds since the run began. */
export function computeEnd({
  exchange,
  response,
}: {
  readonly exchange: Pick<Exchange, 'at'>
  readonly response: ReceivedResponse
}): number {
  return exchange.at + response.ms
}

/** Finds the response to a step. */
export function findResponse(transcript: Transcript, id: string): RecordedResponse | undefined {
  return listResponses(transcript).find((recorded) => recorded.id === id)
}

const indexExchanges: (transcript: Transcript) => ReadonlyMap<Exchange, number> = memoize(
  ({ exchanges }) => new Map(exchanges.map((exchange, place) => [exchange, place])),
)

/** Returns an exchange's position in the transcript, or -1. */
export function indexOfExchange(transcript: Transcript, exchange: Exchange): number {
  return indexExchanges(transcript).get(exchange) ?? -1
}

/** Lists the responses to requests with a credential. */
export function listResponsesFor(
  transcript: Transcript,
  credential: Credential,
): readonly RecordedResponse[] {
  return listResponses(transcript).filter(({ exchange }) => exchange.credential === credential)
}

/** Checks for a status that gateways return themselves, such as 502 or Cloudflare's 520 to 530. */
export function isGatewayStatus(status: number): boolean {
  return (status >= 502 && status <= 504) || (status >= 520 && status <= 530)
}

/** Checks whether the step requests a path or method that the interface does not define. */
export function isOutsideInterface(id: string): boolean {
  return findStep(id)?.isOutside !== undefined
}

/** Checks whether the step requests a path that the interface does not define. */
export function hasUnknownPath(id: string): boolean {
  return findStep(id)?.isOutside === 'path'
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/** Formats a status with its reason phrase, such as `404 Not Found`. */
export function formatStatus(status: number): string {
  return [status, STATUS_CODES[status]].filter(Boolean).join(' ')
}

/**
 * Returns a header's value. Several headers with one name are joined with commas (RFC 9110, section 5.3). `name` must
 * be in lower case.
 */
export function getHeader(response: ReceivedResponse, name: string): string | undefined {
  const headerValues = response.headers.filter(([other]) => other === name).map(([, value]) => value)
  return headerValues.length === 0 ? undefined : headerValues.join(', ')
}

/** Parses a JSON body. Returns `undefined` if the body is not JSON in UTF-8. */
export const parseBody: (response: ReceivedResponse) => Json | undefined = memoize(({ utf8, body }) =>
  utf8 ? readJson(body) : undefined,
)

/** Describes why a body is not JSON. A byte order mark is not part of JSON (RFC 8259, section 8.1). */
export function describeInvalidJson({ body }: ReceivedResponse): string {
  if (body === '') return 'is empty'
  return body.startsWith('\ufeff') ? 'begins with a byte order mark' : 'is not JSON'
}

/** Returns the pet in a successful response. */
export function readPet(response: ReceivedResponse): Pet | undefined {
  return isSuccess(response.status) ? parsePet(parseBody(response)) : undefined
}

/** Explains why the suite has not read a body, or returns `undefined` if it has. */
export function findReadProblem({ truncated, withheld }: ReceivedResponse): string | undefined {
  const [one, all] = [maxBodyBytes, maxRunBytes].map((bytes) => `${bytes / 1024 ** 2} MiB`)
  if (truncated) return `exceeds the limit of ${one}, or ${all} per run`
  return withheld ? 'contains a key that cannot be redacted' : undefined
}

export function hasReadableBody({ response }: RecordedResponse): boolean {
  return findReadProblem(response) === undefined
}

/** Reads a member from a JSON response body. */
export function readMember({ response }: Pick<RecordedResponse, 'response'>, name: string): Json | undefined {
  const body = parseBody(response)
  return isObject(body) ? body.get(name) : undefined
}

/**
 * Describes a content type other than `application/json` (section 4), or returns `undefined`. Parameters are allowed.
 */
export function findContentTypeProblem({ response }: Pick<RecordedResponse, 'response'>): string | undefined {
  const contentType = getHeader(response, 'content-type')
  if (/^application\/json[ \t]*(;|$)/i.test(contentType ?? '')) return undefined
  return contentType === undefined ? 'has no content type' : `has the content type ${contentType}`
}

/** Returns the 401 or 403 that rejects the key. Only the first response with the key counts, gateway errors aside. */
export function findKeyRejection(exchanges: readonly Exchange[]): number | undefined {
  const firstRejection = exchanges.find(
    ({ credential, response }) =>
      credential === 'key' && response !== undefined && !isGatewayStatus(response.status),
  )
  const status = firstRejection?.response?.status
  return status === 401 || status === 403 ? status : undefined
}

const maxErrorLength = 120

/** Quotes the text that explains an error: the code and message, an HTML page's title, or the beginning of the body. */
export function quoteBody(response: ReceivedResponse): string {
  return shorten(describeBody(response).slice(0, 1024).replace(/\s+/g, ' ').trim(), maxErrorLength)
}

/** Joins the code and the message in an Error body. */
export function readErrorText(response: ReceivedResponse): string | undefined {
  const errorTexts = ['code', 'message']
    .map((name) => readMember({ response }, name))
    .filter((value) => typeof value === 'string' && value !== '')
  return errorTexts.length === 0 ? undefined : shorten(errorTexts.join(': '), maxErrorLength)
}

export function isHtml({ headers, body }: ReceivedResponse): boolean {
  const contentType = headers.find(([name]) => name === 'content-type')?.[1] ?? ''
  return /^\s*<(?:!doctype html|html)\b/i.test(body) || (/html/i.test(contentType) && /^\s*</.test(body))
}

function describeBody(response: ReceivedResponse): string {
  const { body } = response
  if (!isHtml(response)) return readErrorText(response) ?? body
  const heading = /<(title|h1)[^>]*>([^<]{1,200})</i.exec(body.slice(0, 16_384))?.[2]
  return heading ?? body
}
