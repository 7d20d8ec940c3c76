/** What to do about a network error, by its code or message. The first match counts. */
const adviceByError: readonly (readonly [pattern: RegExp, what: string])[] = [
  [
    /SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF|UNABLE_TO_GET_ISSUER|UnknownIssuer|self.signed certificate|unable to (verify|get)/i,
    'pass the CA certificate with --ca FILE to trust it',
  ],
  [
    /ERR_TLS_CERT_ALTNAME_INVALID|NotValidForName|altnames/i,
    'the certificate is for another name: use that name in the base URL, or replace the certificate',
  ],
  [
    /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|certificate.*(expired|not yet valid)/i,
    'the certificate is expired or not yet valid: replace it, or correct the clock',
  ],
  [
    /CERTIFICATE_REQUIRED|BAD_CERTIFICATE|HANDSHAKE_FAILURE|CertificateRequired|certificate required|bad certificate|handshake failure/i,
    'the server may require a client certificate: set --client-cert FILE and --client-key FILE',
  ],
  [/UNKNOWN_CA|unknown ca/i, 'the server does not trust the client certificate: check --client-cert FILE'],
  [
    /WRONG_VERSION_NUMBER|wrong version number|packet length too long|InvalidContentType|record overflow/i,
    'the port does not speak TLS: the base URL or the proxy URL may need http://',
  ],
  [/NO_APPLICATION_PROTOCOL|no application protocol/i, 'the server only supports HTTP/2: enable HTTP/1.1'],
  [
    /not HTTP\/1\.1: .*Expected HTTP/,
    'check the port: it may serve another protocol, or HTTP/2 without HTTP/1.1',
  ],
  [/the proxy \S+ failed/, 'start the proxy, correct HTTPS_PROXY or HTTP_PROXY, or add the host to NO_PROXY'],
  [/ENOTFOUND|EAI_AGAIN/, 'check the host name in the base URL, and the DNS'],
  [/ECONNREFUSED/, 'start the deployment, or correct the port in the base URL'],
  [/EHOSTUNREACH|ENETUNREACH|ETIMEDOUT/, 'check the firewall, or set HTTPS_PROXY if a proxy is required'],
  [/no complete response within/, 'find out what the deployment waits for, or raise --timeout'],
  [
    /closed before a response|ECONNRESET/,
    "check the deployment's log, or use https:// in the base URL if the port requires TLS",
  ],
]

/** Describes a network error in one line, with its causes and what to do. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  // `fetch` has the reason in `cause`. A connection to several addresses has one reason per address in `errors`.
  const reasons = error instanceof AggregateError ? error.errors : cause === undefined ? [] : [cause]
  const errorParts = [error, ...reasons].flatMap((part) =>
    part instanceof Error ? describeSingleError(part) : [],
  )
  const errorText = [...new Set(errorParts.filter((part) => part !== ''))].join(': ')
  const adviceText = adviceByError.find(([pattern]) => pattern.test(errorText))?.[1]
  return adviceText === undefined ? errorText : `${errorText}; ${adviceText}`
}

function describeSingleError(error: Error): string {
  const errorCode = 'code' in error ? String(error.code) : ''
  // Node's message
  if (error.message === 'socket hang up') return 'the connection was closed before a response'
  if (errorCode.startsWith('HPE_')) return `the response is not HTTP/1.1: ${error.message}`
  // OpenSSL's message contains a path in its source code, and its reason does not.
  const isOpenSsl = 'reason' in error && typeof error.reason === 'string' && 'library' in error
  const message = isOpenSsl ? String(error.reason) : error.message
  if (message === '') return errorCode || (error instanceof AggregateError ? '' : error.name)
  return errorCode === '' || message.includes(errorCode) ? message : `${message} (${errorCode})`
}
