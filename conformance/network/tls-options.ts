import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { AgentOptions } from 'node:https'
import * as tls from 'node:tls'

/** TLS options of connections to an https deployment. Every text is PEM. */
export interface TlsOptions {
  /** Certificates of further authorities to trust, next to the usual ones. */
  readonly ca?: string
  /** The client's certificate, with its chain; requires `key`. */
  readonly cert?: string
  /** The private key of `cert`, without a passphrase. No transcript, report or message contains it. */
  readonly key?: string
  /** Requires a certificate that can be verified; `true` by default. `false` lets anyone read the key. */
  readonly rejectUnauthorized?: boolean
}

/** Returns the first problem of TLS options and the option it is about; `undefined` for valid ones. Quotes no value. */
export function findTlsProblem({
  ca,
  cert,
  key = '',
}: TlsOptions): { option: keyof TlsOptions; problem: string } | undefined {
  const noCertificate = 'holds no certificate in PEM'
  if (ca !== undefined && !isCertificate(ca)) return { option: 'ca', problem: noCertificate }
  if (cert === undefined) return undefined
  if (!isCertificate(cert)) return { option: 'cert', problem: noCertificate }
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(key))
    return { option: 'key', problem: 'holds no private key in PEM' }
  if (/-----BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED/.test(key))
    return { option: 'key', problem: 'is encrypted: decrypt it first, as with openssl pkey' }
  try {
    tls.createSecureContext({ cert, key })
    return undefined
  } catch {
    return { option: 'key', problem: 'is not the key of the certificate' }
  }
}

/**
 * Returns the options of an agent for TLS options: `ca` adds to the authorities of the runtime.
 *
 * @param isNode Whether the runtime is Node. There, the certificates are parsed once and not for each connection.
 */
export function toAgentOptions(
  { ca, cert, key, rejectUnauthorized = true }: TlsOptions,
  isNode: boolean,
): AgentOptions {
  const certificates = {
    ...(ca !== undefined && { ca: [...trustedAuthorities(), ca] }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  }
  return {
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized,
    ...(isNode ? { secureContext: tls.createSecureContext(certificates) } : certificates),
  }
}

/** Returns the certificates that the runtime trusts, including the file `NODE_EXTRA_CA_CERTS`. */
function trustedAuthorities(): readonly string[] {
  const known: { rootCertificates: readonly string[]; getCACertificates?: () => string[] } = tls
  // since Node 22.15
  if (known.getCACertificates !== undefined) return known.getCACertificates()
  return [...known.rootCertificates, ...extraAuthorities(process.env.NODE_EXTRA_CA_CERTS)]
}

function extraAuthorities(path: string | undefined): readonly string[] {
  if (!path) return []
  try {
    return [readFileSync(path, 'utf8')]
  } catch {
    return [] // Node itself warns of a file that it cannot read
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined
  } catch {
    return false
  }
}
