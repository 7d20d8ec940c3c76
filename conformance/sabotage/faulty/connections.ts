import type { Handler } from '../deployment.ts'

const fails =
  (message: string, code?: string): Handler =>
  () =>
    Promise.reject(
      new TypeError('fetch failed', {
        cause: Object.assign(new Error(message), code === undefined ? {} : { code }),
      }),
    )

/** Errors of a connection in place of every response, with the causes that they show. */
export const unreachable: readonly {
  readonly cause: string
  readonly error: string
  readonly handler: Handler
}[] = (
  [
    ['proxy', 'Proxy response (407) !== 200 when HTTP Tunneling', 'UND_ERR_ABORTED'],
    ['unknown-host', 'getaddrinfo ENOTFOUND pets.test', 'ENOTFOUND'],
    ['connection-refused', 'connect ECONNREFUSED 127.0.0.1:9', 'ECONNREFUSED'],
    ['unreachable-host', 'connect EHOSTUNREACH 10.0.0.1:443', 'EHOSTUNREACH'],
    ['plain-http', 'error:0A00010B:SSL routines::wrong version number', 'ERR_SSL_WRONG_VERSION_NUMBER'],
    ['client-certificate', 'tlsv13 alert certificate required', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'],
    ['client-certificate', 'sslv3 alert handshake failure', 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE'],
    ['untrusted-certificate', 'self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['untrusted-certificate', 'certificate has expired', 'CERT_HAS_EXPIRED'],
    [
      'untrusted-certificate',
      "Hostname/IP does not match certificate's altnames",
      'ERR_TLS_CERT_ALTNAME_INVALID',
    ],
    ['not-http', 'Parse Error: Expected HTTP/', 'HPE_INVALID_CONSTANT'],
    ['no-response-in-time', 'no complete response within 10000 ms', undefined],
    ['connection-closed', 'other side closed', 'UND_ERR_SOCKET'],
    ['no-response', 'something else', undefined],
  ] as const
).map(([cause, error, code]) => ({ cause, error, handler: fails(error, code) }))
