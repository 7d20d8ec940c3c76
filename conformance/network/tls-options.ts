import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { AgentOptions } from 'node:https'
import * as tls from 'node:tls'

/** TLS settings for connections to an `https` deployment. All strings are in PEM format. */
export interface TlsOptions {
  /** Additional CA certificates to trust. */
  readonly ca?: string
  /** The client certificate, with its chain. Requires `clientKey`. */
  readonly clientCert?: string
  /** The private key of `clientCert`, without a passphrase. Reports and messages never contain it. */
  readonly clientKey?: string
  /**
   * Whether the deployment's certificate must be valid. If `false`, an attacker may read the API key.
   *
   * @default true
   */
  readonly rejectUnauthorized?: boolean
}

/** Finds the first wrong option and explains what is wrong. The explanation does not contain the option's value. */
export function findTlsProblem({
  ca,
  clientCert,
  clientKey = '',
}: TlsOptions): { option: keyof TlsOptions; problem: string } | undefined {
  const noCertificate = 'does not contain a PEM certificate'
  if (ca !== undefined && !isCertificate(ca)) return { option: 'ca', problem: noCertificate }
  if (clientCert === undefined) return undefined
  if (!isCertificate(clientCert)) return { option: 'clientCert', problem: noCertificate }
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(clientKey))
    return { option: 'clientKey', problem: 'does not contain a PEM private key' }
  if (/-----BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED/.test(clientKey))
    return { option: 'clientKey', problem: 'is encrypted: decrypt it first, for example with openssl pkey' }
  try {
    // OpenSSL accepts a certificate and a key of different types, such as EC and RSA, but then sends no certificate.
    if (new X509Certificate(clientCert).checkPrivateKey(createPrivateKey(clientKey))) return undefined
  } catch {}
  return { option: 'clientKey', problem: 'does not match the certificate' }
}

/**
 * Converts TLS settings to agent options. `ca` adds to the runtime's authorities.
 *
 * @param isNode Whether the runtime is Node, where certificates can be parsed once instead of for each connection.
 */
export function toAgentOptions(
  { ca, clientCert, clientKey, rejectUnauthorized = true }: TlsOptions,
  isNode: boolean,
): AgentOptions {
  const certificates = {
    ...(ca !== undefined && { ca: [...listTrustedAuthorities(), ca] }),
    ...(clientCert !== undefined && { cert: clientCert }),
    ...(clientKey !== undefined && { key: clientKey }),
  }
  return {
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized,
    ...(isNode ? { secureContext: tls.createSecureContext(certificates) } : certificates),
  }
}

/** Lists the certificates that the runtime trusts, including those in `NODE_EXTRA_CA_CERTS`. */
function listTrustedAuthorities(): readonly string[] {
  const tlsModule: { rootCertificates: readonly string[]; getCACertificates?: () => string[] } = tls
  // since Node 22.15
  if (tlsModule.getCACertificates !== undefined) return tlsModule.getCACertificates()
  return [...tlsModule.rootCertificates, ...readExtraAuthorities(process.env.NODE_EXTRA_CA_CERTS)]
}

function readExtraAuthorities(path: string | undefined): readonly string[] {
  if (!path) return []
  try {
    return [readFileSync(path, 'utf8')]
  } catch {
    return [] // Node itself warns about a file that it cannot read
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined
  } catch {
    return false
  }
}
