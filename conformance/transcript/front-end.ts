import { shorten } from './bounds.ts'
import { getHeader, listResponses, type RecordedResponse } from './responses.ts'
import type { ReceivedResponse, Transcript } from './transcript.ts'

/** Returns the absolute URL that a response redirects to, in at most 200 characters. */
export function findRedirectTarget(
  { target }: Pick<Transcript, 'target'>,
  { exchange, response }: RecordedResponse,
): string | undefined {
  const location = getHeader(response, 'location')
  if (Math.floor(response.status / 100) !== 3 || location === undefined) return undefined
  const sentUrl = target.baseUrl + exchange.request.target
  return shorten(URL.canParse(location, sentUrl) ? new URL(location, sentUrl).href : location, 200)
}

/** Checks for the error page that nginx, Apache, Go and other servers return to plain HTTP on a TLS port. */
function expectsTls({ status, body }: ReceivedResponse): boolean {
  return (
    status >= 400 &&
    /plain HTTP (?:request was sent|to an SSL)|HTTP request to an HTTPS server|requires? (?:TLS|HTTPS)/i.test(
      body,
    )
  )
}

/** Checks for the error page of nginx and other servers when the client has sent no certificate. */
function asksForClientCertificate({ status, body }: ReceivedResponse): boolean {
  const certificatePattern =
    /no required SSL certificate|SSL certificate error|client certificate (?:is )?(?:required|missing)/i
  return status === 495 || status === 496 || (status >= 400 && certificatePattern.test(body))
}

const checkedResponses = 3

/**
 * Explains why the base URL is wrong, if the first 3 responses all redirect, expect TLS or ask for a client
 * certificate.
 */
export function findFrontEndProblem(
  transcript: Pick<Transcript, 'target' | 'exchanges'>,
): string | undefined {
  if (transcript.exchanges.length !== checkedResponses) return undefined
  const recorded = listResponses(transcript as Transcript) // `listResponses` only reads the exchanges
  if (recorded.length < checkedResponses) return undefined
  const targets = recorded.flatMap((one) => findRedirectTarget(transcript, one) ?? [])
  if (targets.length === checkedResponses)
    return `the first ${checkedResponses} responses redirect to ${targets[0]}: change the base URL accordingly`
  if (recorded.every(({ response }) => expectsTls(response)))
    return `the first ${checkedResponses} responses report that the port requires TLS: use https:// in the base URL`
  if (recorded.every(({ response }) => asksForClientCertificate(response)))
    return `the first ${checkedResponses} responses require a client certificate: set --client-cert and --client-key`
  return undefined
}
