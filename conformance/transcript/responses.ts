import { STATUS_CODES } from 'node:http'
import { findStep } from '../steps/phases.ts'
import type { Credential } from '../steps/step.ts'
import { mostOfBody, mostOfRun, shorten } from './bounds.ts'
import { isObject, type Json } from './json.ts'
import { readJson } from './json-reader.ts'
import { memoize } from './memoize.ts'
import { type Pet, parsePet } from './pets.ts'
import type { Exchange, ReceivedResponse, Transcript } from './transcript.ts'

/** A response, with the exchange that it belongs to. */
export interface RecordedResponse {
  /** The id of the exchange. */
  readonly id: string
  readonly exchange: Exchange
  readonly response: ReceivedResponse
}

/** Returns every response of the run, in the order of the requests. */
export const responses: (transcript: Transcript) => readonly RecordedResponse[] = memoize(({ exchanges }) =>
  exchanges.flatMap((exchange) => findResponse(exchange) ?? []),
)

const findResponse: (exchange: Exchange) => RecordedResponse | undefined = memoize((exchange) =>
  exchange.outcome.kind === 'response'
    ? { id: exchange.id, exchange, response: exchange.outcome.response }
    : undefined,
)

const places: (transcript: Transcript) => ReadonlyMap<Exchange, number> = memoize(
  ({ exchanges }) => new Map(exchanges.map((exchange, place) => [exchange, place])),
)

/** Returns the place of an exchange in its run, from 0. */
export function findPlace(transcript: Transcript, exchange: Exchange): number {
  return places(transcript).get(exchange) ?? -1
}

/** Returns the responses to requests with one credential. */
export function listResponsesTo(transcript: Transcript, credential: Credential): readonly RecordedResponse[] {
  return responses(transcript).filter(({ exchange }) => exchange.credential === credential)
}

/**
 * Returns whether a status may come from a gateway in front of the deployment: 502 to 504, and 520 to 530 of proxies.
 */
export function isGateway(status: number): boolean {
  return (status >= 502 && status <= 504) || (status >= 520 && status <= 530)
}

/** Returns whether the exchange with an id requests a path or a method that the interface does not have. */
export function isOutside(id: string): boolean {
  return findStep(id)?.isOutside !== undefined
}

/**
 * Returns whether the exchange with an id requests a path that the interface does not have: only ERR-6 and ERR-7 judge
 * it.
 */
export function hasUnknownPath(id: string): boolean {
  return findStep(id)?.isOutside === 'path'
}

/** Returns whether a status means success. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/** Returns a status with its name, such as `404 Not Found`. */
export function formatStatus(status: number): string {
  return [status, STATUS_CODES[status]].filter(Boolean).join(' ')
}

/** Returns the value of a header; the values of several lines are joined (RFC 9110, section 5.3). */
export function header(response: ReceivedResponse, name: string): string | undefined {
  const values = response.headers.filter(([other]) => other === name).map(([, value]) => value)
  return values.length === 0 ? undefined : values.join(', ')
}

/** Returns the JSON body of a response; `undefined` if the body is not JSON or not UTF-8. */
export const parseBody: (response: ReceivedResponse) => Json | undefined = memoize(({ utf8, body }) =>
  utf8 ? readJson(body) : undefined,
)

/** Returns the Pet that a success returned; `undefined` without a success or a Pet. */
export function readPet(response: ReceivedResponse): Pet | undefined {
  return isSuccess(response.status) ? parsePet(parseBody(response)) : undefined
}

/** Returns why the body of a response cannot be judged, as a phrase; `undefined` if it can. */
export function findUnreadProblem({ truncated, withheld }: ReceivedResponse): string | undefined {
  const [one, all] = [mostOfBody, mostOfRun].map((bytes) => `${bytes / 1024 ** 2} MiB`)
  if (truncated) return `is larger than the suite reads: ${one}, and ${all} in a run`
  return withheld ? 'contains a key that cannot be redacted' : undefined
}

/** Returns whether the body of a response can be judged. */
export function isRead({ response }: RecordedResponse): boolean {
  return findUnreadProblem(response) === undefined
}

/** Returns a member of the JSON object in a response; `undefined` if it is missing. */
export function readMember({ response }: Pick<RecordedResponse, 'response'>, name: string): Json | undefined {
  const body = parseBody(response)
  return isObject(body) ? body.get(name) : undefined
}

/** Returns the problem of the content type of a response (section 4), as a phrase; parameters are allowed. */
export function findTypeProblem({ response }: Pick<RecordedResponse, 'response'>): string | undefined {
  const type = header(response, 'content-type')
  if (/^application\/json[ \t]*(;|$)/i.test(type ?? '')) return undefined
  return type === undefined ? 'has no content type' : `has the content type ${type}`
}

/** Returns the status that rejects the key: the first response to the key is a 401 or a 403. */
export function findKeyRejection(exchanges: readonly Exchange[]): number | undefined {
  const first = exchanges.find(
    ({ credential, outcome }) =>
      credential === 'key' && outcome.kind === 'response' && !isGateway(outcome.response.status),
  )
  const status = first?.outcome.kind === 'response' ? first.outcome.response.status : undefined
  return status === 401 || status === 403 ? status : undefined
}

/** Maximum number of characters that a quotation has. */
const mostQuotedWords = 120

/** Returns the words of a response: code and message of an Error, the title of a page, or the start of its text. */
export function quoted(response: ReceivedResponse): string {
  return shorten(describeBody(response).slice(0, 1024).replace(/\s+/g, ' ').trim(), mostQuotedWords)
}

/** Returns the code and the message of an Error; `undefined` if the response has neither. */
export function readErrorWords(response: ReceivedResponse): string | undefined {
  const texts = ['code', 'message']
    .map((name) => readMember({ response }, name))
    .filter((value) => typeof value === 'string' && value !== '')
  return texts.length === 0 ? undefined : shorten(texts.join(': '), mostQuotedWords)
}

/** Returns whether a response is an HTML page: its body begins with a tag, and its content type or that tag says so. */
export function isHtml({ headers, body }: ReceivedResponse): boolean {
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? ''
  return /^\s*<(?:!doctype html|html)\b/i.test(body) || (/html/i.test(type) && /^\s*</.test(body))
}

function describeBody(response: ReceivedResponse): string {
  const { body } = response
  if (!isHtml(response)) return readErrorWords(response) ?? body
  const heading = /<(title|h1)[^>]*>([^<]{1,200})</i.exec(body.slice(0, 16_384))?.[2]
  return heading ?? body
}
