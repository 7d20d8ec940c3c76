import { responses } from '../transcript/responses.ts'
import type { Exchange, Transcript } from '../transcript/transcript.ts'
import { everyRule, type Fault, type FaultKind, shownBy } from './cause.ts'

/** Why no response came, by the text of the error. */
interface Trouble {
  readonly id: string
  readonly pattern: RegExp
  readonly title: (place: Place) => string
  readonly advice: (place: Place) => string
}

/** Where the requests went, and what the first one met. */
interface Place {
  readonly host: string
  readonly isTls: boolean
  readonly error: string
}

/** The first one whose pattern the error matches. The last one matches every error. */
const troubles: readonly Trouble[] = [
  {
    id: 'proxy',
    pattern: /proxy/i,
    title: ({ host }) => `A proxy does not connect to ${host}`,
    advice: () =>
      'check the address and the password in HTTPS_PROXY or HTTP_PROXY, or add the host to NO_PROXY',
  },
  {
    id: 'unknown-host',
    pattern: /ENOTFOUND|EAI_AGAIN/,
    title: ({ host }) => `The name ${host} has no address`,
    advice: () => 'check the spelling of the base address, and whether this network resolves the name',
  },
  {
    id: 'connection-refused',
    pattern: /ECONNREFUSED/,
    title: ({ host }) => `Nothing listens at ${host}`,
    advice: () => 'start the deployment, or correct the port in the base address',
  },
  {
    id: 'unreachable-host',
    pattern: /EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|CONNECT_TIMEOUT/,
    title: ({ host }) => `No connection to ${host} is possible from here`,
    advice: () => 'check the firewall and the VPN; if a proxy is required, name it in HTTPS_PROXY',
  },
  {
    id: 'plain-http',
    pattern: /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|wrong version number/,
    title: ({ host }) => `The server at ${host} does not speak TLS`,
    advice: () => 'begin the base address with http://, or correct the port',
  },
  {
    id: 'client-certificate',
    pattern:
      /CERTIFICATE_REQUIRED|alert (?:number )?(?:116|42|40)\b|(?:alert|ALERT)[ _](?:certificate required|bad[ _]certificate|BAD_CERTIFICATE|handshake failure|HANDSHAKE_FAILURE)/,
    title: ({ host }) =>
      `The server at ${host} ends the TLS handshake: it probably requires a client certificate`,
    advice: () => 'give the certificate with --cert and its key with --key-file',
  },
  {
    id: 'untrusted-certificate',
    pattern: /CERT|SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY)|certificate/,
    title: ({ host }) => `The certificate of ${host} is not trusted`,
    advice: () =>
      'give the certificate of its authority with --ca; if the certificate is expired or has another name, replace it',
  },
  {
    id: 'not-http',
    pattern: /HPE_|Parse Error|invalid (?:header|HTTP)|HTTP\/2/i,
    title: ({ host }) => `The server at ${host} does not speak HTTP/1.1`,
    advice: () => 'check the port in the base address',
  },
  {
    id: 'no-response-in-time',
    pattern: /no (?:complete )?response within/,
    title: ({ host }) => `The server at ${host} sends no complete response in time`,
    advice: () => 'look at what the deployment waits for; if it is only slow, raise --timeout',
  },
  {
    id: 'connection-closed',
    pattern: /ECONNRESET|EPIPE|UND_ERR_SOCKET|other side closed|socket hang up|terminated/,
    title: ({ host }) => `The server at ${host} closes every connection without a complete response`,
    advice: ({ isTls }) =>
      isTls
        ? // in TLS 1.3 a server closes the connection after the handshake if it requires a client certificate
          'if a client certificate is required, give it with --cert and its key with --key-file; else look at the log of the deployment'
        : 'begin the base address with https:// if the port expects TLS; else look at the log of the deployment',
  },
  {
    id: 'no-response',
    pattern: /^/,
    title: ({ host, error }) => `No response came from ${host}: ${error}`,
    advice: () => 'check the base address and the network',
  },
]

/** No request had a response: kinds of trouble between the suite and the deployment. */
export const connectionFaults: readonly FaultKind[] = troubles.map(({ id, title, advice }) => ({
  id,
  find: (transcript): Fault | undefined => {
    const failed = transcript.exchanges.flatMap((exchange) => errorOf(exchange) ?? [])
    const error = failed[0]?.error
    if (error === undefined || responses(transcript).length > 0 || troubleOf(error).id !== id)
      return undefined
    const place = placeOf(transcript, error)
    return shownBy(failed, () => ({ title: title(place), advice: advice(place), explains: everyRule }))
  },
}))

function troubleOf(error: string): Trouble {
  // the advice behind the semicolon has words of other troubles
  const [description = ''] = error.split('; ')
  const found = troubles.find(({ pattern }) => pattern.test(description))
  if (found === undefined) throw new Error('the last pattern matches every error')
  return found
}

function errorOf({ id, outcome }: Exchange): { readonly id: string; readonly error: string } | undefined {
  return outcome.kind === 'error' ? { id, error: outcome.error } : undefined
}

function placeOf({ baseUrl }: Transcript, error: string): Place {
  // a transcript from elsewhere may have any base address
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  return { host: url?.host ?? baseUrl, isTls: url?.protocol === 'https:', error }
}
