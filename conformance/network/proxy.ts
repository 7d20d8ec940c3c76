import { Buffer } from 'node:buffer'
import * as http from 'node:http'
import * as https from 'node:https'
import * as querystring from 'node:querystring'
import type { Duplex } from 'node:stream'
import { toPrintable } from '../transcript/printable.ts'

/** An HTTP proxy. */
export interface HttpProxy {
  readonly host: string
  readonly port: number
  /** The proxy's URL without credentials, such as `http://proxy.example.com:3128`. */
  readonly origin: string
  /** The value of `Proxy-Authorization`. */
  readonly authorization?: string
  /** The credentials (both decoded and in base64) and the password. None of these strings may be stored. */
  readonly secrets: readonly string[]
}

/**
 * Parses a proxy's URL. The default scheme is `http`.
 *
 * @throws {TypeError} if the text is not the URL of an HTTP proxy. The message does not contain the text.
 */
export function parseProxy(text: string): HttpProxy {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:' || url.hostname === '')
    throw new TypeError('proxy must be the URL of an HTTP proxy, such as http://proxy.example.com:3128')
  const [user, password] = [url.username, url.password].map((part) => querystring.unescape(part))
  const credentials = `${user}:${password}`
  const encodedCredentials = Buffer.from(credentials).toString('base64')
  return {
    host: stripBrackets(url.hostname),
    port: Number(url.port) || 80,
    origin: url.origin,
    ...(credentials !== ':' && { authorization: `Basic ${encodedCredentials}` }),
    secrets: credentials === ':' ? [] : [credentials, encodedCredentials, password ?? ''].filter(Boolean),
  }
}

/** Removes the brackets around an IPv6 address. */
export function stripBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/** An agent that opens a tunnel through a proxy with `CONNECT` (RFC 9110, section 9.3.6). */
export class TunnelAgent extends https.Agent {
  readonly #proxy: HttpProxy
  readonly #authority: string
  /** The pending `CONNECT` request. */
  #opening: http.ClientRequest | undefined

  constructor(proxy: HttpProxy, { hostname, port }: URL, options: https.AgentOptions) {
    super(options)
    this.#proxy = proxy
    this.#authority = `${hostname}:${port || 443}`
  }

  override createConnection(
    options: https.RequestOptions,
    callback: (error: Error | null, connection: Duplex) => void,
  ): never {
    // The callback's type requires a connection, even with an error.
    const rejectConnection = callback as (error: Error) => void
    const { host, port, authorization, origin } = this.#proxy
    const { autoSelectFamilyAttemptTimeout } = this.options
    const tunnelRequest = http.request({
      agent: new http.Agent({ autoSelectFamilyAttemptTimeout }),
      method: 'CONNECT',
      host,
      port,
      path: this.#authority,
      headers: {
        host: this.#authority,
        ...(authorization !== undefined && { 'proxy-authorization': authorization }),
      },
    })
    this.#opening = tunnelRequest
    tunnelRequest.once('error', (error) =>
      rejectConnection(new Error(`the proxy ${origin} failed`, { cause: error })),
    )
    tunnelRequest.once('connect', (response, socket) => {
      // `tls.connect` receives these options, and accepts a socket.
      const onTunnel = { ...options, socket } as https.RequestOptions
      if (response.statusCode?.toString().startsWith('2'))
        return callback(null, super.createConnection(onTunnel) as Duplex)
      socket.destroy()
      rejectConnection(new ProxyRejectionError(this.#proxy, response, this.#authority))
    })
    tunnelRequest.end()
    return undefined as never // Node's types require a connection, but it is passed to the callback
  }

  override destroy(): void {
    this.#opening?.destroy()
    super.destroy()
  }
}

/** Statuses that a proxy returns if it rejects a request or cannot reach the deployment. */
const proxyStatuses: readonly number[] = [403, 451, 502, 503, 504, 511]

/**
 * Checks whether a response is from the proxy instead of the deployment: a 407 (RFC 9110, section 15.5.8), an error
 * from Squid, or an error page before the deployment has responded to any request.
 */
export function isFromProxy(
  { statusCode = 0, headers }: http.IncomingMessage,
  isDeploymentSeen: boolean,
): boolean {
  if (statusCode === 407 || headers['x-squid-error'] !== undefined) return true
  const isPage = !/json/i.test(headers['content-type'] ?? '') && headers['x-ratelimit-limit'] === undefined
  return isPage && !isDeploymentSeen && proxyStatuses.includes(statusCode)
}

/** The proxy rejected a request. */
export class ProxyRejectionError extends Error {
  constructor(
    { origin, authorization }: HttpProxy,
    { statusCode: status = 0, statusMessage = '' }: http.IncomingMessage,
    authority: string,
  ) {
    const credentials =
      authorization === undefined
        ? 'set its credentials, as in HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT'
        : 'it does not accept the credentials'
    const advice = status === 407 ? credentials : "ask the proxy's operator, or add the host to NO_PROXY"
    const rejectionMessage =
      `rejected the request to ${authority}: ${status} ${toPrintable(statusMessage)}`.trim()
    super(`the proxy ${origin} ${rejectionMessage}; ${advice}`)
  }
}
