import { Buffer } from 'node:buffer'
import * as http from 'node:http'
import * as https from 'node:https'
import * as querystring from 'node:querystring'
import type { Duplex } from 'node:stream'
import { printable } from '../transcript/printable.ts'

/** A proxy, without its credentials in anything that is printed. */
export interface HttpProxy {
  readonly host: string
  readonly port: number
  /** Its address without credentials, such as `http://proxy.example.com:3128`. */
  readonly origin: string
  /** The value of `Proxy-Authorization`; absent without credentials. */
  readonly authorization?: string
  /** The secrets: the credentials, decoded and in base64, and the password. They must not be stored. */
  readonly secrets: readonly string[]
}

/**
 * Reads the address of a proxy. Without a scheme it is `http://`.
 *
 * @throws {TypeError} It is not the address of an http proxy. The message quotes nothing of it.
 */
export function readProxy(text: string): HttpProxy {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:' || url.hostname === '')
    throw new TypeError('proxy must be the address of an http proxy, such as http://proxy.example.com:3128')
  const [user, password] = [url.username, url.password].map((part) => querystring.unescape(part))
  const credentials = `${user}:${password}`
  const encoded = Buffer.from(credentials).toString('base64')
  return {
    host: stripBrackets(url.hostname),
    port: Number(url.port) || 80,
    origin: url.origin,
    ...(credentials !== ':' && { authorization: `Basic ${encoded}` }),
    secrets: credentials === ':' ? [] : [credentials, encoded, password ?? ''].filter(Boolean),
  }
}

/** Returns a host name as sockets need it: an IPv6 address without its brackets. */
export function stripBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/** Connects to an https deployment through tunnels that a proxy opens (RFC 9110, section 9.3.6). */
export class TunnelAgent extends https.Agent {
  readonly #proxy: HttpProxy
  readonly #authority: string
  /** The request for a tunnel that is under way. */
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
    // the type wants a connection also with an error
    const fail = callback as (error: Error) => void
    const { host, port, authorization, origin } = this.#proxy
    const opening = http.request({
      agent: false,
      method: 'CONNECT',
      host,
      port,
      path: this.#authority,
      headers: {
        host: this.#authority,
        ...(authorization !== undefined && { 'proxy-authorization': authorization }),
      },
    })
    this.#opening = opening
    opening.once('error', (error) => fail(new Error(`the proxy ${origin} fails`, { cause: error })))
    opening.once('connect', (response, socket) => {
      // `tls.connect`, which gets these options, takes a socket
      const onTunnel = { ...options, socket } as https.RequestOptions
      if (response.statusCode?.toString().startsWith('2'))
        return callback(null, super.createConnection(onTunnel) as Duplex)
      socket.destroy()
      fail(new ProxyRefusal(this.#proxy, response, this.#authority))
    })
    opening.end()
    return undefined as never // newer types of Node require a connection, which comes by the callback alone
  }

  override destroy(): void {
    this.#opening?.destroy()
    super.destroy()
  }
}

/** A proxy has rejected the request. The response is not from the deployment. */
export class ProxyRefusal extends Error {
  constructor(
    { origin, authorization }: HttpProxy,
    { statusCode: status = 0, statusMessage = '' }: http.IncomingMessage,
    authority: string,
  ) {
    const credentials =
      authorization === undefined
        ? 'give its credentials in the address, as in HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT'
        : 'it does not accept its credentials'
    const advice = status === 407 ? credentials : 'ask who runs it, or name the host in NO_PROXY'
    const said = `refuses the connection to ${authority}: ${status} ${printable(statusMessage)}`.trim()
    super(`the proxy ${origin} ${said}; ${advice}`)
  }
}
