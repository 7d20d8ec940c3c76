import { findRedirectTarget } from '../transcript/front-end.ts'
import {
  findKeyRejection,
  formatStatus,
  isGateway,
  isHtml,
  listResponsesTo,
  quoted,
  readErrorWords,
  responses,
} from '../transcript/responses.ts'
import type { ReceivedResponse } from '../transcript/transcript.ts'
import { type FaultKind, fault, uniform } from './cause.ts'

/**
 * Faults that leave little of a run to judge. No response comes, what answers is not the deployment or not the
 * interface, or the key is not accepted.
 */
export const wholeRunFaults: readonly FaultKind[] = [
  fault({
    // also a failure of TLS or of a proxy: an error that the suite knows says what to do
    id: 'no-response',
    shownBy: ({ exchanges }) => {
      const failed = exchanges.flatMap(({ id, outcome }) =>
        outcome.kind === 'error' ? [{ id, error: outcome.error }] : [],
      )
      return failed.length === exchanges.length ? failed : []
    },
    title: ({ error }, _, { baseUrl }) => `No response came from ${baseUrl}: ${error.split('; ')[0]}`,
    advice: ({ error }) => error.split('; ')[1] ?? 'check the base URL and the network',
  }),
  uniform({
    id: 'redirect',
    has: (recorded, transcript) => findRedirectTarget(transcript, recorded) !== undefined,
    title: (first, _, run) => `Every response redirects, the first one to ${findRedirectTarget(run, first)}`,
    advice: (first, _, run) => {
      const path = first.exchange.request.target
      const target = findRedirectTarget(run, first) ?? ''
      const base = target.endsWith(path) ? target.slice(0, -path.length) : run.baseUrl
      return base === run.baseUrl
        ? 'serve the paths of the interface as they are; if it leads to a login page, use the address of the API itself'
        : `use ${base} as the base URL`
    },
  }),
  uniform({
    id: 'gateway',
    has: ({ response }) => isGateway(response.status),
    title: ({ response }) =>
      `Every response is a ${formatStatus(response.status)}, which may come from a gateway`,
    advice: 'start the deployment behind the gateway, or look at its log',
  }),
  uniform({
    id: 'html',
    has: ({ response }) => isHtml(response),
    title: ({ response }) =>
      `Every response is an HTML page (${formatStatus(response.status)}): ${quoted(response)}`,
    advice: ({ response }, _, { baseUrl }) =>
      [401, 403, 407].includes(response.status)
        ? 'something in front of the deployment rejects the suite: let its requests through, or use another address'
        : `what answers is a website and not the API: ${baseAdvice(baseUrl)}`,
  }),
  uniform({
    id: 'nothing-there',
    has: ({ response }) => response.status === 404,
    title: ({ response }) => `Every response is a 404: ${bodyWords(response)}`,
    advice: (_first, _all, { baseUrl }) => baseAdvice(baseUrl),
  }),
  fault({
    id: 'key-rejected',
    shownBy: (transcript) =>
      listResponsesTo(transcript, 'key')
        .filter(({ response }) => response.status === findKeyRejection(transcript.exchanges))
        .slice(0, 1),
    title: ({ response }) => {
      const words = readErrorWords(response)
      return `The key is rejected with ${response.status}${words === undefined ? '' : ` (${words})`}`
    },
    advice: ({ response }) =>
      response.status === 401
        ? 'give a key that this deployment has issued and that is not expired, in PET_ADOPTION_API_KEY'
        : 'give a key that may list animals, or ask what in front of the deployment rejects the request',
    explains: () => (rule) => rule.outcome !== 'broken',
  }),
  fault({
    // every response has one status, whatever the request was
    id: 'same-response',
    shownBy(transcript) {
      const all = responses(transcript)
      const [status, ...others] = new Set(all.map(({ response }) => response.status))
      // a rejected key makes every response a 401, as it should be
      if (status === undefined || status === 401 || others.length > 0) return []
      const operations = new Set(
        all.map(({ exchange: { request } }) => `${request.method} ${request.target.replace(/[^/]*$/, '')}`),
      )
      const bodies = new Set(all.map(({ response }) => response.body))
      return operations.size > 1 && (status >= 400 || bodies.size === 1) ? all : []
    },
    title: ({ response }) =>
      `Every response is a ${formatStatus(response.status)}, the first one with ${bodyWords(response)}`,
    advice: 'check that the base URL leads to the API, and not to a stub or to an error handler',
  }),
]

function bodyWords(response: ReceivedResponse): string {
  if (response.truncated) return 'a body that is larger than the suite reads'
  return quoted(response) || 'no body'
}

function baseAdvice(baseUrl: string): string {
  return /\/v1(?:\/|$)/.test(baseUrl)
    ? 'check the host and the path of the base URL'
    : `check the base URL, whose path has the segment v1, such as ${baseUrl.replace(/\/+$/, '')}/v1`
}
