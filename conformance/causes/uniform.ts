import { STATUS_CODES } from 'node:http'
import { header, isHtml, quoted, type RecordedResponse, responses } from '../transcript/responses.ts'
import type { ReceivedResponse, Transcript } from '../transcript/transcript.ts'
import { everyRule, type FaultKind, shownBy, type Words } from './cause.ts'

/** Returns a kind of fault that every response of a run has, at least two of them. */
function uniform(
  id: string,
  has: (response: ReceivedResponse) => boolean,
  words: (first: ReceivedResponse, transcript: Transcript) => Words,
): FaultKind {
  return {
    id,
    find(transcript) {
      const all = responses(transcript)
      if (!all.every(({ response }) => has(response))) return undefined
      return shownBy(all, ({ response }) => ({ ...words(response, transcript), explains: everyRule }), 2)
    },
  }
}

const asksForCertificate = /(?:ssl|tls|client)[ -]certificate/i
const asksForTls = /plain HTTP request was sent to HTTPS port|HTTP request to an HTTPS server|requires TLS/i

/** Faults that every response of the run has. What answers is not the deployment, or not the interface. */
export const uniformFaults: readonly FaultKind[] = [
  uniform(
    'client-certificate-missing',
    ({ status, body }) =>
      status === 495 || status === 496 || ([400, 401, 403].includes(status) && asksForCertificate.test(body)),
    (first) => ({
      title: `Every response is a ${named(first)}: a client certificate is missing`,
      advice: 'give the certificate with --cert and its key with --key-file',
    }),
  ),
  uniform(
    'tls-expected',
    ({ status, body }) => [400, 426].includes(status) && asksForTls.test(body),
    () => ({ title: 'The port expects TLS', advice: 'begin the base address with https://' }),
  ),
  uniform(
    'proxy-authentication',
    ({ status }) => status === 407,
    () => ({
      title: 'Every response is a 407 of a proxy',
      advice: 'put the name and the password of the proxy into HTTPS_PROXY, or add the host to NO_PROXY',
    }),
  ),
  uniform(
    'gateway',
    ({ status }) => [502, 503, 504].includes(status) || (status >= 520 && status <= 530),
    (first) => ({
      title: `Every response is a ${named(first)}, which may come from a gateway`,
      advice: 'start the deployment behind the gateway, or look at its log',
    }),
  ),
  uniform('html', isHtml, (first, { baseUrl }) => ({
    title: `Every response is an HTML page (${named(first)}): ${quoted(first)}`,
    advice: pageAdvice(first, baseUrl),
  })),
  uniform(
    'nothing-there',
    ({ status }) => status === 404,
    (first, { baseUrl }) => ({
      title: `Every response is a 404: ${bodyWords(first)}`,
      advice: baseAdvice(baseUrl),
    }),
  ),
]

/** Every response has one status, whatever the request was. Responses to a key that is rejected are another matter. */
export const sameResponseFault: FaultKind = {
  id: 'same-response',
  find(transcript) {
    const all = responses(transcript)
    const [first] = all
    // a rejected key makes every response a 401, as it should be
    if (first === undefined || first.response.status === 401) return undefined
    if (new Set(all.map(operationOf)).size < 2) return undefined
    const { response } = first
    if (all.some((other) => other.response.status !== response.status)) return undefined
    const hasOneBody = all.every((other) => other.response.body === response.body)
    if (!hasOneBody && response.status < 400) return undefined
    return {
      title: hasOneBody
        ? `Every response is the same ${named(response)}: ${bodyWords(response)}`
        : `Every response is a ${named(response)}, the first one with ${quoted(response)}`,
      advice: 'check that the base address leads to the API, and not to a stub or to an error handler',
      exchanges: all.map((one) => one.id),
      explains: everyRule,
    }
  },
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
    ? 'check the host and the path of the base address'
    : `check the base address, whose path has the segment v1, such as ${baseUrl.replace(/\/+$/, '')}/v1`
}
