import { STATUS_CODES } from 'node:http'
import { shorten } from '../transcript/bounds.ts'
import {
  errorWords,
  header,
  isGateway,
  isHtml,
  keyRejection,
  quoted,
  type RecordedResponse,
  responses,
  responsesTo,
} from '../transcript/responses.ts'
import { type ReceivedResponse, requestName, type Transcript } from '../transcript/transcript.ts'
import { everyRule, type FaultKind, fault, inBrackets, type OpenRule, type ShownFault } from './cause.ts'
import { failedExchanges } from './connection.ts'

/** A kind of fault that every response of a run has, at least two of them. */
function uniform(
  kind: Pick<ShownFault<RecordedResponse>, 'id' | 'title' | 'advice'> & {
    readonly has: (response: ReceivedResponse) => boolean
  },
): FaultKind {
  return fault({
    ...kind,
    shownBy: (transcript) => whole(responses(transcript), ({ response }) => kind.has(response)),
    fewest: 2,
    explains: everyRule,
  })
}

/** Returns all, if each of them meets a condition; otherwise none. */
function whole<One>(all: readonly One[], has: (one: One) => boolean): readonly One[] {
  return all.every(has) ? all : []
}

const asksForCertificate = /(?:ssl|tls|client)[ -]certificate/i
const asksForTls = /plain HTTP request was sent to HTTPS port|HTTP request to an HTTPS server|requires TLS/i

/**
 * Faults that leave little of a run to judge. What answers is not the deployment or not the interface, the key is not
 * accepted, or responses are missing.
 */
export const wholeRunFaults: readonly FaultKind[] = [
  fault({
    id: 'redirect',
    shownBy: (transcript) =>
      whole(responses(transcript), (recorded) => placeOf(transcript, recorded) !== undefined),
    title: (_, all, transcript) => redirectWords(all, transcript).title,
    advice: (_, all, transcript) => redirectWords(all, transcript).advice,
    explains: everyRule,
  }),
  uniform({
    id: 'client-certificate-missing',
    has: ({ status, body }) =>
      status === 495 || status === 496 || ([400, 401, 403].includes(status) && asksForCertificate.test(body)),
    title: ({ response }) => `Every response is a ${named(response)}: a client certificate is missing`,
    advice: 'give the certificate with --cert and its key with --key-file',
  }),
  uniform({
    id: 'tls-expected',
    has: ({ status, body }) => [400, 426].includes(status) && asksForTls.test(body),
    title: 'The port expects TLS',
    advice: 'begin the base URL with https://',
  }),
  uniform({
    id: 'proxy-authentication',
    has: ({ status }) => status === 407,
    title: 'Every response is a 407 of a proxy',
    advice: 'put the name and the password of the proxy into HTTPS_PROXY, or add the host to NO_PROXY',
  }),
  uniform({
    id: 'gateway',
    has: ({ status }) => isGateway(status),
    title: ({ response }) => `Every response is a ${named(response)}, which may come from a gateway`,
    advice: 'start the deployment behind the gateway, or look at its log',
  }),
  uniform({
    id: 'html',
    has: isHtml,
    title: ({ response }) => `Every response is an HTML page (${named(response)}): ${quoted(response)}`,
    advice: ({ response }, _, { baseUrl }) => pageAdvice(response, baseUrl),
  }),
  uniform({
    id: 'nothing-there',
    has: ({ status }) => status === 404,
    title: ({ response }) => `Every response is a 404: ${bodyWords(response)}`,
    advice: (_first, _all, { baseUrl }) => baseAdvice(baseUrl),
  }),
  fault({
    id: 'key-rejected',
    shownBy: (transcript) => {
      const status = keyRejection(transcript.exchanges)
      return responsesTo(transcript, 'key')
        .filter(({ response }) => response.status === status)
        .slice(0, 1)
    },
    title: ({ response }) => `The key is rejected with ${response.status}${inBrackets(errorWords(response))}`,
    advice: ({ response }) =>
      response.status === 401
        ? 'give a key that this deployment has issued and that is not expired, in PET_ADOPTION_API_KEY'
        : 'give a key that may list animals, or ask what in front of the deployment rejects the request',
    explains: ({ outcome }) => outcome !== 'broken',
  }),
  fault({
    id: 'limit-reached',
    shownBy: ({ endedEarly, exchanges }) =>
      exchanges.filter(
        ({ outcome }, n) =>
          endedEarly !== undefined &&
          n === exchanges.length - 1 &&
          outcome.kind === 'response' &&
          outcome.response.status === 429,
      ),
    title: (exchange) => `${requestName(exchange)} returned 429, and the run ended`,
    advice: 'wait until the limit resets, use a key that nothing else uses, or lower --pace',
    explains: ({ outcome }) => outcome === 'not-run',
  }),
  fault({
    // every response has one status, whatever the request was
    id: 'same-response',
    shownBy(transcript) {
      const all = responses(transcript)
      const [status, ...others] = new Set(all.map(({ response }) => response.status))
      // a rejected key makes every response a 401, as it should be
      if (status === undefined || status === 401 || others.length > 0) return []
      return new Set(all.map(operationOf)).size > 1 && (status >= 400 || hasOneBody(all)) ? all : []
    },
    title: ({ response }, all) =>
      hasOneBody(all)
        ? `Every response is the same ${named(response)}: ${bodyWords(response)}`
        : `Every response is a ${named(response)}, the first one with ${quoted(response)}`,
    advice: 'check that the base URL leads to the API, and not to a stub or to an error handler',
    explains: everyRule,
  }),
  fault({
    id: 'lost-responses',
    shownBy: failedExchanges,
    title: ({ error }, lost, { exchanges }) =>
      `${lost.length} of ${exchanges.length} requests had no complete response, the first one: ${error}`,
    advice:
      'look at what the deployment, and what stands in front of it, did with these requests; then run again',
    // the run may have ended with one of them
    explains: (rule, lost, { exchanges }) =>
      isUndecidedBy(lost, rule) || (rule.outcome === 'not-run' && exchanges.at(-1)?.outcome.kind === 'error'),
  }),
  fault({
    id: 'gateway-errors',
    shownBy: (transcript) => responses(transcript).filter(({ response }) => isGateway(response.status)),
    title: ({ response: { status } }, failed, { exchanges }) =>
      `${failed.length} of ${exchanges.length} responses may come from a gateway, the first one with ${status}`,
    advice: 'look at why the gateway did not reach the deployment; then run again',
    explains: (rule, failed) => isUndecidedBy(failed, rule),
  }),
]

/** Whether one of these exchanges leaves a rule undecided. */
function isUndecidedBy(some: readonly { readonly id: string }[], { outcome, exchanges }: OpenRule): boolean {
  return outcome === 'no-evidence' && some.some(({ id }) => exchanges.includes(id))
}

function hasOneBody(all: readonly RecordedResponse[]): boolean {
  return all.every(({ response }) => response.body === all[0]?.response.body)
}

/** Where a response leads, and the base URL under which the same path leads there. */
interface Place {
  readonly target: string
  readonly base?: string
  /** Whether the path differs only by a slash at its end. */
  readonly hasSlash: boolean
}

/** The most characters of an address in a title. */
const mostOfAddress = 200

/** Returns where a redirect leads. The suite follows none. */
function placeOf({ baseUrl }: Transcript, { exchange, response }: RecordedResponse): Place | undefined {
  const location = header(response, 'location')
  if (response.status < 300 || response.status > 399 || location === undefined) return undefined
  const sent = baseUrl + exchange.request.target
  if (!URL.canParse(location, sent)) return { target: shorten(location, mostOfAddress), hasSlash: false }
  const target = shorten(new URL(location, sent).href, mostOfAddress)
  const [path = '', whole = ''] = [exchange.request.target, target].map((text) => text.replace(/[?#].*$/, ''))
  return {
    target,
    ...(whole.endsWith(path) && { base: whole.slice(0, -path.length) }),
    hasSlash: whole.endsWith(`${path}/`),
  }
}

function redirectWords(
  all: readonly RecordedResponse[],
  transcript: Transcript,
): { readonly title: string; readonly advice: string } {
  const [first, ...others] = all.map((recorded) => placeOf(transcript, recorded))
  const base = others.every((place) => place?.base === first?.base) ? first?.base : undefined
  if (base === transcript.baseUrl) {
    return {
      title: 'Every response redirects to the same address again',
      advice: 'look for a rule of the server, or of a proxy in front of it, that redirects in a circle',
    }
  }
  if (base !== undefined) {
    return { title: `Every response redirects to ${base}`, advice: `use ${base} as the base URL` }
  }
  return first?.hasSlash
    ? {
        title: `Every response redirects to its path with a slash at the end, such as ${first.target}`,
        advice: 'serve the paths of the interface, which have no slash at the end',
      }
    : {
        title: `Every response redirects to ${first?.target}`,
        advice: 'if it is a login page, use the address at which the API itself is served',
      }
}

/** The method and the first part of the path: enough to tell the operations apart. */
function operationOf({ exchange: { request } }: RecordedResponse): string {
  return `${request.method} ${/^\/pets\/?/.exec(request.target)?.[0] ?? request.target}`
}

function bodyWords(response: ReceivedResponse): string {
  if (response.truncated) return 'a body that is larger than the suite reads'
  return quoted(response) || 'without a body'
}

/** A status with its name, such as `404 Not Found`. */
function named({ status }: ReceivedResponse): string {
  return [status, STATUS_CODES[status]].filter(Boolean).join(' ')
}

function pageAdvice(first: ReceivedResponse, baseUrl: string): string {
  if (/^basic\b/i.test(header(first, 'www-authenticate') ?? ''))
    return 'the deployment is behind Basic authentication: use an address that is not'
  if (first.status === 403)
    return 'a firewall may reject the suite: let its requests through, or use another address'
  return `what answers is a website and not the API: ${baseAdvice(baseUrl)}`
}

function baseAdvice(baseUrl: string): string {
  return /\/v1(?:\/|$)/.test(baseUrl)
    ? 'check the host and the path of the base URL'
    : `check the base URL, whose path has the segment v1, such as ${baseUrl.replace(/\/+$/, '')}/v1`
}
