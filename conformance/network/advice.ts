/** Advice on an error of the network, by its code or its message. */
const advice: readonly (readonly [pattern: RegExp, what: string])[] = [
  [
    /SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF|UNABLE_TO_GET_ISSUER|UnknownIssuer|self.signed certificate|unable to (verify|get)/i,
    'its authority is not trusted: give the certificate of the authority with --ca FILE',
  ],
  [
    /ERR_TLS_CERT_ALTNAME_INVALID|NotValidForName|altnames/i,
    'the certificate is for another name: use that name in the base URL, or replace the certificate',
  ],
  [
    /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|certificate.*(expired|not yet valid)/i,
    'replace the certificate, or set the clock',
  ],
  [
    /CERTIFICATE_REQUIRED|BAD_CERTIFICATE|HANDSHAKE_FAILURE|CertificateRequired|certificate required|bad certificate|handshake failure/i,
    'the other side may require a client certificate: give one with --cert FILE and --key-file FILE',
  ],
  [/UNKNOWN_CA|unknown ca/i, 'the other side does not trust the client certificate: check --cert FILE'],
  [
    /WRONG_VERSION_NUMBER|wrong version number|packet length too long|InvalidContentType|record overflow/i,
    'the other side does not speak TLS there: check whether the base URL, or that of the proxy, begins with http://',
  ],
  [
    /NO_APPLICATION_PROTOCOL|no application protocol/i,
    'the other side speaks HTTP/2 only: let it serve HTTP/1.1 too',
  ],
  [
    /not HTTP\/1\.1: .*Expected HTTP/,
    'check the port: another protocol is served there, or HTTP/2 only, which must come with HTTP/1.1',
  ],
  [
    /the proxy \S+ fails/,
    'start the proxy, correct its address in HTTPS_PROXY or HTTP_PROXY, or name the host in NO_PROXY',
  ],
  [/ENOTFOUND|EAI_AGAIN/, 'check the spelling of the base URL, and whether this network resolves the name'],
  [/ECONNREFUSED/, 'start the deployment, or correct the port in the base URL'],
  [
    /EHOSTUNREACH|ENETUNREACH|ETIMEDOUT/,
    'check the firewall, or name the proxy in HTTPS_PROXY if one is required',
  ],
  [/no complete response within/, 'look at what the deployment waits for, or raise --timeout'],
  [
    /closed before a response|ECONNRESET/,
    'look at the log of the deployment, or begin the base URL with https:// if the port expects TLS',
  ],
]

/** Describes an error of the network, with its code and what to do about it. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  // `fetch` has the reason in its cause; an attempt at several addresses has one reason per address in its errors
  const reasons = error instanceof AggregateError ? error.errors : cause === undefined ? [] : [cause]
  const parts = [error, ...reasons].flatMap((part) => (part instanceof Error ? describeOne(part) : []))
  const text = [...new Set(parts.filter((part) => part !== ''))].join(': ')
  const what = advice.find(([pattern]) => pattern.test(text))?.[1]
  return what === undefined ? text : `${text}; ${what}`
}

function describeOne(error: Error): string {
  const code = 'code' in error ? String(error.code) : ''
  // Node's words
  if (error.message === 'socket hang up') return 'the connection closed before a response'
  if (code.startsWith('HPE_')) return `the response is not HTTP/1.1: ${error.message}`
  // the message of OpenSSL has the place in its source
  const isOpenSsl = 'reason' in error && typeof error.reason === 'string' && 'library' in error
  const message = isOpenSsl ? String(error.reason) : error.message
  if (message === '') return code || (error instanceof AggregateError ? '' : error.name)
  return code === '' || message.includes(code) ? message : `${message} (${code})`
}
