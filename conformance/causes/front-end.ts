import { expectsTls, lacksClientCertificate, requiresHttp2 } from '../transcript/front-end.ts'
import { lacksLimitHeaders, readLimitNumbers } from '../transcript/rate-limits.ts'
import {
  header,
  isGateway,
  isHtml,
  isSuccess,
  listResponsesTo,
  parseBody,
  quoted,
  type RecordedResponse,
  responses,
} from '../transcript/responses.ts'
import { formatRequestName, type Transcript } from '../transcript/transcript.ts'
import { brokenIn, type FaultKind, fault, formatCount, type OpenRule, repairable, uniform } from './cause.ts'

/** Faults that every response shows if the address leads to a port that expects another protocol. */
export const addressFaults: readonly FaultKind[] = [
  uniform({
    id: 'expects-tls',
    has: ({ response }) => expectsTls(response),
    title: ({ response }) => `The port expects TLS and got plain http: ${quoted(response)}`,
    advice: 'begin the base URL with https://',
  }),
  uniform({
    id: 'client-certificate',
    has: ({ response }) => lacksClientCertificate(response),
    title: ({ response }) => `The server asks for a client certificate: ${quoted(response)}`,
    advice: 'give the certificate of the client with --cert FILE and --key-file FILE',
  }),
  uniform({
    id: 'http2-only',
    has: ({ response }) => requiresHttp2(response),
    title: ({ response }) => `The server speaks HTTP/2 only: ${quoted(response)}`,
    advice: 'let it serve HTTP/1.1 too, as the suite and many clients send',
  }),
  fault({
    id: 'base-url-with-pets',
    shownBy: (transcript) => {
      const all = listResponsesTo(transcript, 'key')
      const isBelow = /\/pets$/.test(transcript.baseUrl)
      return isBelow && !all.some(({ response }) => isSuccess(response.status)) ? all : []
    },
    title: (first, _, { baseUrl }) =>
      `The base URL ends in /pets: the first request goes to ${baseUrl}${first.exchange.request.target}`,
    advice: (_first, _all, { baseUrl }) => `use ${baseUrl.replace(/\/pets$/, '')} as the base URL`,
  }),
]

/** Responses of a server in front of the deployment, while the deployment responds to other requests. */
export const frontEndFaults: readonly FaultKind[] = [
  fault({
    id: 'gateway-limit',
    shownBy: (transcript) => foreign(transcript).filter(({ response }) => response.status === 429),
    title: (first) => `A limit in front of the deployment rejects requests: ${describe(first)}`,
    advice: 'send more slowly with --pace, such as --pace 1, or let the suite pass there',
    explains: (all) => (rule) => explainedBy(all)(rule) || rule.outcome === 'not-run',
  }),
  fault({
    // from some request on, whatever it is
    id: 'banned',
    shownBy: (transcript) => {
      const all = responses(transcript)
      const rest = all.slice(all.findLastIndex((one) => !isForeign(one)) + 1)
      const [first] = rest
      const isOne = rest.every(({ response }) => response.status === first?.response.status)
      return rest.length >= leastBanned && rest.length < all.length && isOne ? rest : []
    },
    title: (first) =>
      `Something in front of the deployment rejects every request from one on: ${describe(first)}`,
    advice: 'let the requests of the tester pass there, or send more slowly with --pace',
    explains: (all) => (rule) => explainedBy(all)(rule) || rule.outcome === 'no-evidence',
  }),
  fault({
    id: 'body-limit',
    shownBy: (transcript) =>
      responses(transcript).filter(
        ({ exchange, response }) => response.status === 413 && exchange.request.method === 'POST',
      ),
    title: (first) =>
      `A body of ${first.exchange.request.body?.length ?? 0} characters is too large: ${describe(first)}`,
    advice: 'raise the limit of bodies there: a name may have some thousand characters',
    explains: explainedBy,
  }),
  fault({
    id: 'front-end',
    shownBy: (transcript) => {
      const all = foreign(transcript)
      return all.length < responses(transcript).length ? all : []
    },
    title: (first, all, run) =>
      `Something in front of the deployment responds by itself in ${formatCount(all, responses(run))}, the first time to ${describe(first)}`,
    advice: 'let these requests pass to the deployment, or have it return the errors of the interface',
    explains: explainedBy,
  }),
  fault({
    id: 'cache',
    shownBy: findRepeated,
    title: ({ first, exchange }) =>
      `A cache in front of the deployment repeats responses: ${formatRequestName(exchange)} has the Date and the limit of ${formatRequestName(first.exchange)}`,
    advice: 'let no cache store responses: they depend on the key and change with each request',
    explains: (all) => (rule) =>
      explainedBy(all)(rule) || rule.id === 'RATE-7' || brokenIn(...changedByCache)(rule),
  }),
  fault({
    id: 'server-errors',
    least: 2,
    shownBy: (transcript) => {
      const all = responses(transcript).filter(
        ({ response: { status } }) => status >= 500 && !isGateway(status),
      )
      return all.length > 1 ? all : []
    },
    title: (first, all, run) =>
      `${formatCount(all, responses(run))} are 5xx, the first one to ${describe(first)}`,
    advice: 'look at the log of the deployment',
    explains: (all) => (rule) => explainedBy(all)(rule) || brokenIn('ERR-6')(rule),
  }),
  repairable({
    id: 'forbidden-without-key',
    least: 2,
    repair: ({ exchange, response }) =>
      response.status === 403 && unauthenticated.includes(exchange.credential) ? { status: 401 } : undefined,
    title: (_, all) => `Requests without a valid key get a 403 instead of a 401: ${all.length} of them`,
    advice: 'return 401 with WWW-Authenticate: Bearer if the key is missing or unknown',
  }),
]

/** Rules that a cache breaks if it ignores the key or serves old pages. */
const changedByCache = [
  'AUTH-1',
  'AUTH-2',
  'AUTH-4',
  'AUTH-5',
  'AUTH-7',
  'AUTH-8',
  'AUTH-13',
  'LIST-15',
  'CREATE-7',
  'CREATE-8',
  'CREATE-26',
]

/** Minimum number of responses that show a ban. */
const leastBanned = 3

const unauthenticated: readonly string[] = ['none', 'unknown-key', 'empty-token', 'other-scheme']

/** Explains the rules whose evidence is one of the responses. */
function explainedBy(all: readonly RecordedResponse[]): (rule: OpenRule) => boolean {
  const ids = new Set(all.map(({ id }) => id))
  return ({ exchanges: [evidence = ''] }) => ids.has(evidence)
}

/** Returns the responses that are not of the deployment: it sends the headers of the interface with others. */
function foreign(transcript: Transcript): readonly RecordedResponse[] {
  const all = responses(transcript)
  return all.some((one) => !lacksLimitHeaders(one)) ? all.filter(isForeign) : []
}

function isForeign(recorded: RecordedResponse): boolean {
  const { response } = recorded
  const isOther = isHtml(response) || (parseBody(response) === undefined && response.body !== '')
  return isOther && !isSuccess(response.status) && response.status !== 500 && lacksLimitHeaders(recorded)
}

/** Names the request, the status and the server of a response. */
function describe({ exchange, response }: RecordedResponse): string {
  const server = header(response, 'server')
  return `${formatRequestName(exchange)} (${response.status}${server === undefined ? '' : `, Server: ${server}`})`
}

/** A response that repeats an earlier one, although `Remaining` had fallen in between. */
interface Repetition extends RecordedResponse {
  readonly first: RecordedResponse
}

/** A bucket that leaks quickly may rise by less within the same second. */
const leastRise = 3

function findRepeated(transcript: Transcript): readonly Repetition[] {
  const firsts = new Map<string, RecordedResponse>()
  /** The lowest `Remaining` so far, by `Reset`. */
  const lowest = new Map<number, number>()
  // other callers have limits of their own
  return listResponsesTo(transcript, 'key').flatMap((recorded) => {
    const { exchange, response } = recorded
    if (exchange.request.method !== 'GET') return []
    const { limit, remaining, reset } = readLimitNumbers(recorded)
    const date = header(response, 'date')
    if (date === undefined || remaining === undefined || reset === undefined) return []
    const before = lowest.get(reset) ?? remaining
    lowest.set(reset, Math.min(before, remaining))
    const shown = [exchange.request.target, date, limit, remaining, reset].join(' ')
    const first = firsts.get(shown)
    if (first === undefined) firsts.set(shown, recorded)
    return first !== undefined && remaining - before >= leastRise ? [{ ...recorded, first }] : []
  })
}
