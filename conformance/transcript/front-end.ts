import { shorten } from './bounds.ts'
import { header, type RecordedResponse, responses } from './responses.ts'
import type { ReceivedResponse, Transcript } from './transcript.ts'

/** Returns where a redirect leads; `undefined` for another response. The suite follows none. */
export function findRedirectTarget(
  { baseUrl }: Pick<Transcript, 'baseUrl'>,
  { exchange, response }: RecordedResponse,
): string | undefined {
  const location = header(response, 'location')
  if (Math.floor(response.status / 100) !== 3 || location === undefined) return undefined
  const sent = baseUrl + exchange.request.target
  return shorten(URL.canParse(location, sent) ? new URL(location, sent).href : location, 200)
}

/** Returns whether a port expects TLS and got plain http, in the words of nginx, Apache, Go and others. */
export function expectsTls({ status, body }: ReceivedResponse): boolean {
  return (
    status >= 400 &&
    /plain HTTP (?:request was sent|to an SSL)|HTTP request to an HTTPS server|requires? (?:TLS|HTTPS)/i.test(
      body,
    )
  )
}

/** Returns whether a server lacks the certificate of the client, in the words of nginx and others. */
export function lacksClientCertificate({ status, body }: ReceivedResponse): boolean {
  const words =
    /no required SSL certificate|SSL certificate error|client certificate (?:is )?(?:required|missing)/i
  return status === 495 || status === 496 || (status >= 400 && words.test(body))
}

/** Returns whether a server speaks HTTP/2 only, in the words of Node and others. */
export function requiresHttp2({ status, body }: ReceivedResponse): boolean {
  return (
    status === 505 ||
    (status >= 400 && /unknown ALPN protocol|missing ALPN protocol|HTTP\/?2 (?:is )?required/i.test(body))
  )
}

/** A run ends if this number of first responses all show a wrong address. */
const firstResponses = 3

/**
 * Returns why a run ends after its first responses, so that no more requests carry the key; `undefined` if it goes on.
 */
export function findMisdirection(transcript: Pick<Transcript, 'baseUrl' | 'exchanges'>): string | undefined {
  if (transcript.exchanges.length !== firstResponses) return undefined
  const all = responses(transcript as Transcript) // which only reads the exchanges
  if (all.length < firstResponses) return undefined
  const every = (has: (recorded: RecordedResponse) => boolean): boolean => all.every(has)
  const [first] = all
  const target = first && findRedirectTarget(transcript, first)
  if (target !== undefined && every((recorded) => findRedirectTarget(transcript, recorded) !== undefined))
    return `the first ${firstResponses} responses are redirects, to ${target}: use that address in the base URL`
  if (every(({ response }) => expectsTls(response)))
    return `the first ${firstResponses} responses say that the port expects TLS: begin the base URL with https://`
  if (every(({ response }) => lacksClientCertificate(response)))
    return `the first ${firstResponses} responses ask for a client certificate: give one with --cert FILE and --key-file FILE`
  return undefined
}
