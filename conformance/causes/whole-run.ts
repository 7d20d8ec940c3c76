import { findRedirectTarget } from '../transcript/front-end.ts'
import {
  findKeyRejection,
  formatStatus,
  isGatewayStatus,
  isHtml,
  listResponses,
  listResponsesFor,
  quoteBody,
  readErrorText,
} from '../transcript/responses.ts'
import { getOperation, type ReceivedResponse } from '../transcript/transcript.ts'
import { createFaultKind, createUniformKind, type FaultKind } from './cause.ts'

/** Faults that affect every response. */
export const wholeRunFaults: readonly FaultKind[] = [
  createFaultKind({
    // Errors with advice have it after a semicolon.
    id: 'no-response',
    findAll: ({ exchanges }) => {
      const failed = exchanges.flatMap(({ id, error }) => (error === undefined ? [] : [{ id, error }]))
      return failed.length === exchanges.length ? failed : []
    },
    title: ({ error }, _, { target }) => `No response from ${target.baseUrl}: ${error.split('; ')[0]}`,
    advice: ({ error }) => error.split('; ')[1] ?? 'check the base URL and the network',
  }),
  createUniformKind({
    id: 'redirect',
    has: (recorded, transcript) => findRedirectTarget(transcript, recorded) !== undefined,
    title: (first, _, run) =>
      `Every response is a redirect, the first one to ${findRedirectTarget(run, first)}`,
    advice: (first, _, run) => {
      const requestPath = first.exchange.request.target
      const redirectTarget = findRedirectTarget(run, first) ?? ''
      const redirectBaseUrl = redirectTarget.endsWith(requestPath)
        ? redirectTarget.slice(0, -requestPath.length)
        : run.target.baseUrl
      return redirectBaseUrl === run.target.baseUrl
        ? 'serve the paths of the interface without redirects; if the target is a login page, use a URL that points to the API directly'
        : `use ${redirectBaseUrl} as the base URL`
    },
  }),
  createUniformKind({
    id: 'gateway',
    has: ({ response }) => isGatewayStatus(response.status),
    title: ({ response }) =>
      `Every response is a ${formatStatus(response.status)}, which may come from a gateway`,
    advice: 'start the deployment behind the gateway, or check its log',
  }),
  createUniformKind({
    id: 'html',
    has: ({ response }) => isHtml(response),
    title: ({ response }) =>
      `Every response is an HTML page (${formatStatus(response.status)}): ${quoteBody(response)}`,
    advice: ({ response }, _, { target: { baseUrl } }) =>
      [401, 403, 407].includes(response.status)
        ? 'a gateway or firewall rejects the suite: allow its requests, or use another URL'
        : `this is a website, not the API: ${adviseOnBaseUrl(baseUrl)}`,
  }),
  createUniformKind({
    id: 'nothing-there',
    has: ({ response }) => response.status === 404,
    title: ({ response }) => `Every response is a 404: ${describeBody(response)}`,
    advice: (_first, _all, { target: { baseUrl } }) => adviseOnBaseUrl(baseUrl),
  }),
  createFaultKind({
    id: 'key-rejected',
    findAll: (transcript) =>
      listResponsesFor(transcript, 'key')
        .filter(({ response }) => response.status === findKeyRejection(transcript.exchanges))
        .slice(0, 1),
    title: ({ response }) => {
      const errorText = readErrorText(response)
      return `The key is rejected with ${response.status}${errorText === undefined ? '' : ` (${errorText})`}`
    },
    advice: ({ response }) =>
      response.status === 401
        ? 'set PET_ADOPTION_API_KEY to a key that this deployment has issued and that has not expired'
        : 'use a key that may list animals, or find the gateway or firewall that rejects the request',
    explains: () => (rule) => rule.outcome !== 'broken',
  }),
  createFaultKind({
    // One response to everything, such as from a stub.
    id: 'same-response',
    findAll(transcript) {
      const responses = listResponses(transcript)
      const [status, ...others] = new Set(responses.map(({ response }) => response.status))
      // A server that requires a key for everything returns 401 to everything.
      if (status === undefined || status === 401 || others.length > 0) return []
      const operations = new Set(responses.map(({ exchange }) => getOperation(exchange)))
      const distinctBodies = new Set(responses.map(({ response }) => response.body))
      return operations.size > 1 && (status >= 400 || distinctBodies.size === 1) ? responses : []
    },
    title: ({ response }) =>
      `Every response is a ${formatStatus(response.status)}, the first one with ${describeBody(response)}`,
    advice: 'check that the base URL points to the API, not to a stub or an error handler',
  }),
]

function describeBody(response: ReceivedResponse): string {
  if (response.truncated) return 'a body that exceeds the limit'
  return quoteBody(response) || 'no body'
}

function adviseOnBaseUrl(baseUrl: string): string {
  return /\/v1(?:\/|$)/.test(baseUrl)
    ? 'check the host and path in the base URL'
    : `check the base URL: its path needs the segment v1, such as ${baseUrl}/v1`
}
