import { responses } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { everyRule, type FaultKind, fault, type ShownFault } from './cause.ts'

/** A request that had no response. */
interface Failed {
  readonly id: string
  readonly error: string
  readonly host: string
}

/** Why no response came, by the text of the error. */
interface Trouble extends Pick<ShownFault<Failed>, 'id' | 'title' | 'advice'> {
  readonly pattern: RegExp
}

/** The first one whose pattern the error matches. The last one matches every error. */
const troubles: readonly Trouble[] = [
  {
    id: 'proxy',
    pattern: /proxy/i,
    title: ({ host }) => `A proxy does not connect to ${host}`,
    advice: 'check the address and the password in HTTPS_PROXY or HTTP_PROXY, or add the host to NO_PROXY',
  },
  {
    id: 'unknown-host',
    pattern: /ENOTFOUND|EAI_AGAIN/,
    title: ({ host }) => `The name ${host} has no address`,
    advice: 'check the spelling of the base URL, and whether this network resolves the name',
  },
  {
    id: 'connection-refused',
    pattern: /ECONNREFUSED/,
    title: ({ host }) => `Nothing listens at ${host}`,
    advice: 'start the deployment, or correct the port in the base URL',
  },
  {
    id: 'unreachable-host',
    pattern: /EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|CONNECT_TIMEOUT/,
    title: ({ host }) => `No connection to ${host} is possible from here`,
    advice: 'check the firewall and the VPN; if a proxy is required, name it in HTTPS_PROXY',
  },
  {
    id: 'plain-http',
    pattern: /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|wrong version number/,
    title: ({ host }) => `The server at ${host} does not speak TLS`,
    advice: 'begin the base URL with http://, or correct the port',
  },
  {
    id: 'client-certificate',
    pattern:
      /CERTIFICATE_REQUIRED|alert (?:number )?(?:116|42|40)\b|(?:alert|ALERT)[ _](?:certificate required|bad[ _]certificate|BAD_CERTIFICATE|handshake failure|HANDSHAKE_FAILURE)/,
    title: ({ host }) =>
      `The server at ${host} ends the TLS handshake: it probably requires a client certificate`,
    advice: 'give the certificate with --cert and its key with --key-file',
  },
  {
    id: 'untrusted-certificate',
    pattern: /CERT|SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY)|certificate/,
    title: ({ host }) => `The certificate of ${host} is not trusted`,
    advice:
      'give the certificate of its authority with --ca; if the certificate is expired or has another name, replace it',
  },
  {
    id: 'not-http',
    pattern: /HPE_|Parse Error|invalid (?:header|HTTP)|HTTP\/2/i,
    title: ({ host }) => `The server at ${host} does not speak HTTP/1.1`,
    advice: 'check the port in the base URL',
  },
  {
    id: 'no-response-in-time',
    pattern: /no (?:complete )?response within/,
    title: ({ host }) => `The server at ${host} sends no complete response in time`,
    advice: 'look at what the deployment waits for; if it is only slow, raise --timeout',
  },
  {
    id: 'connection-closed',
    pattern: /ECONNRESET|EPIPE|UND_ERR_SOCKET|other side closed|socket hang up|terminated/,
    title: ({ host }) => `The server at ${host} closes every connection without a complete response`,
    advice: (_first, _all, { baseUrl }) =>
      baseUrl.startsWith('https:')
        ? // in TLS 1.3 a server closes the connection after the handshake if it requires a client certificate
          'if a client certificate is required, give it with --cert and its key with --key-file; else look at the log of the deployment'
        : 'begin the base URL with https:// if the port expects TLS; else look at the log of the deployment',
  },
  {
    id: 'no-response',
    pattern: /^/,
    title: ({ host, error }) => `No response came from ${host}: ${error}`,
    advice: 'check the base URL and the network',
  },
]

/** No request had a response: kinds of trouble between the suite and the deployment. */
export const connectionFaults: readonly FaultKind[] = troubles.map((trouble) =>
  fault({
    ...trouble,
    shownBy(transcript) {
      const failed = failedExchanges(transcript)
      // the advice behind the semicolon has words of other troubles
      const [description = ''] = failed[0]?.error.split('; ') ?? []
      const isOne = troubles.find(({ pattern }) => pattern.test(description)) === trouble
      return isOne && responses(transcript).length === 0 ? failed : []
    },
    explains: everyRule,
  }),
)

/** Returns the exchanges that had no complete response. */
export function failedExchanges({ baseUrl, exchanges }: Transcript): readonly Failed[] {
  // a transcript from elsewhere may have any base URL
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl
  return exchanges.flatMap(({ id, outcome }) =>
    outcome.kind === 'error' ? [{ id, error: outcome.error, host }] : [],
  )
}
