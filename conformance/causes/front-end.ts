import {
  lacksLimitHeaders,
  limitHeaders,
  readLimitHeader,
  readLimitNumbers,
} from '../transcript/rate-limits.ts'
import {
  getHeader,
  isHtml,
  isSuccess,
  listResponses,
  listResponsesFor,
  parseBody,
  type RecordedResponse,
  readMember,
} from '../transcript/responses.ts'
import { formatRequestName, type Transcript } from '../transcript/transcript.ts'
import { createFaultKind, explainsBroken, type FaultKind, formatCount, type UnmetRule } from './cause.ts'

/** Faults in front of the deployment, such as in a gateway, a firewall or a cache. */
export const frontEndFaults: readonly FaultKind[] = [
  createFaultKind({
    id: 'gateway-limit',
    findAll: (transcript) =>
      hasLimitHeaders(transcript) ? listResponses(transcript).filter(isGatewayLimit) : [],
    title: (first) => `A gateway's rate limit rejects requests: ${describe(first)}`,
    advice: 'slow down with --pace, such as --pace 1, or exempt the suite from the limit of the gateway',
    explains: (all) => (rule) => explainsEvidence(all)(rule) || rule.outcome === 'not-run',
  }),
  createFaultKind({
    // Every response from some request on comes from the front end, with the same status.
    id: 'banned',
    findAll: (transcript) => {
      const responses = listResponses(transcript)
      const finalResponses = responses.slice(responses.findLastIndex((one) => !isForeign(one)) + 1)
      const [first] = finalResponses
      const hasSameStatus = finalResponses.every(({ response }) => response.status === first?.response.status)
      return finalResponses.length >= minBanned && finalResponses.length < responses.length && hasSameStatus
        ? finalResponses
        : []
    },
    title: (first) => `A gateway or firewall rejects every request from a certain one on: ${describe(first)}`,
    advice: 'allow requests from the suite in the gateway or firewall, or slow down with --pace',
    explains: (all) => (rule) => explainsEvidence(all)(rule) || rule.outcome === 'no-evidence',
  }),
  createFaultKind({
    id: 'body-limit',
    findAll: (transcript) =>
      listResponses(transcript).filter(
        ({ exchange, response }) => response.status === 413 && exchange.request.method === 'POST',
      ),
    title: (first) =>
      `A body of ${first.exchange.request.body?.length ?? 0} characters is too large: ${describe(first)}`,
    advice: 'raise the body size limit of the gateway: a name may have several thousand characters',
    explains: explainsEvidence,
  }),
  createFaultKind({
    id: 'front-end',
    findAll: (transcript) => {
      const foreignResponses = listForeignResponses(transcript)
      return foreignResponses.length < listResponses(transcript).length ? foreignResponses : []
    },
    title: (first, all, run) =>
      `A gateway or firewall sent ${formatCount(all, listResponses(run))}, beginning with ${describe(first)}`,
    advice: 'forward these requests to the deployment, or return Error bodies from the gateway',
    explains: explainsEvidence,
  }),
  createFaultKind({
    id: 'cache',
    findAll: findRepeatedResponses,
    title: ({ first, exchange }) =>
      `A cache between the suite and the deployment repeats responses: ${formatRequestName(exchange)} has the same rate-limit headers and body as ${formatRequestName(first.exchange)}`,
    advice: 'do not cache responses: they depend on the key and change with each request',
    explains: (all) => (rule) =>
      explainsEvidence(all)(rule) || rule.id === 'RATE-7' || explainsBroken(...rulesChangedByCache)(rule),
  }),
]

/** Rules that a cached response can break. */
const rulesChangedByCache = [
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

/** Minimum number of consecutive rejections. Fewer may be a coincidence. */
const minBanned = 3

/** Creates a predicate for rules whose evidence is one of these responses. */
function explainsEvidence(all: readonly RecordedResponse[]): (rule: UnmetRule) => boolean {
  const ids = new Set(all.map(({ id }) => id))
  return ({ exchanges: [evidence = ''] }) => ids.has(evidence)
}

/** Lists the responses that do not come from the deployment, if the deployment itself sends rate-limit headers. */
function listForeignResponses(transcript: Transcript): readonly RecordedResponse[] {
  return hasLimitHeaders(transcript) ? listResponses(transcript).filter(isForeign) : []
}

function hasLimitHeaders(transcript: Transcript): boolean {
  return listResponses(transcript).some((one) => !lacksLimitHeaders(one))
}

/**
 * Recognizes a gateway's own rate limit: a 429 without an Error and with a missing header, or nginx's 503 page.
 */
function isGatewayLimit(recorded: RecordedResponse): boolean {
  const { response } = recorded
  if (response.status === 503) return isHtml(response) && /nginx/i.test(getHeader(response, 'server') ?? '')
  const isComplete = limitHeaders.every((name) => readLimitHeader(recorded, name) !== undefined)
  const isError = ['code', 'message', 'status'].every((name) => readMember(recorded, name) !== undefined)
  return response.status === 429 && !isComplete && !isError
}

function isForeign(recorded: RecordedResponse): boolean {
  const { response } = recorded
  const isForeignBody = isHtml(response) || (parseBody(response) === undefined && response.body !== '')
  return (
    isForeignBody && !isSuccess(response.status) && response.status !== 500 && lacksLimitHeaders(recorded)
  )
}

function describe({ exchange, response }: RecordedResponse): string {
  const server = getHeader(response, 'server')
  return `${formatRequestName(exchange)} (${response.status}${server === undefined ? '' : `, Server: ${server}`})`
}

/** A response that repeats an earlier one. */
interface RepeatedResponse extends RecordedResponse {
  readonly first: RecordedResponse
}

/** Minimum rise of `Remaining`. A bucket that leaks quickly can explain a smaller rise within a second. */
const minRise = 3

function findRepeatedResponses(transcript: Transcript): readonly RepeatedResponse[] {
  const firstResponses = new Map<string, RecordedResponse>()
  /** The lowest `Remaining` so far, by `Reset`. */
  const lowestRemaining = new Map<number, number>()
  // Only responses to the main key are compared, as other callers have their own limits.
  return listResponsesFor(transcript, 'key').flatMap((recorded) => {
    const { exchange, response } = recorded
    if (exchange.request.method !== 'GET') return []
    const { limit, remaining, reset } = readLimitNumbers(recorded)
    if (remaining === undefined || reset === undefined) return []
    const previousRemaining = lowestRemaining.get(reset) ?? remaining
    lowestRemaining.set(reset, Math.min(previousRemaining, remaining))
    const key = [exchange.request.target, limit, remaining, reset, response.body].join(' ')
    const first = firstResponses.get(key)
    if (first === undefined) firstResponses.set(key, recorded)
    return first !== undefined && remaining - previousRemaining >= minRise ? [{ ...recorded, first }] : []
  })
}
