import * as http from 'node:http'
import * as https from 'node:https'
import type { Duplex } from 'node:stream'
import { printable } from '../transcript/printable.ts'

/** A proxy, without its credentials in anything that is printed. */
export interface HttpProxy {
  readonly protocol: 'http:' | 'https:'
  readonly host: string
  readonly port: number
  /** Its address without credentials, such as `http://proxy.example.com:3128`. */
  readonly origin: string
  /** The value of `Proxy-Authorization`; absent without credentials. */
  readonly authorization?: string
  /** The parts of the credentials, decoded: what must not be stored. */
  readonly secrets: readonly string[]
}

/**
 * Reads the address of a proxy. Without a scheme it is `http://`.
 *
 * @throws {TypeError} It is not the address of an http or https proxy. The message quotes nothing of it.
 */
export function readProxy(text: string): HttpProxy {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || url.hostname === '' || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new TypeError(
      'proxy must be the address of an http or https proxy, such as http://proxy.example.com:3128',
    )
  }
  const { protocol } = url
  const [user, password] = [url.username, url.password].map(percentDecoded)
  const credentials = `${user}:${password}`
  return {
    protocol,
    host: bareHost(url.hostname),
    port: Number(url.port) || (protocol === 'https:' ? 443 : 80),
    origin: url.origin,
    ...(credentials !== ':' && { authorization: `Basic ${base64(credentials)}` }),
    secrets: credentials === ':' ? [] : [credentials, password ?? ''].filter((part) => part !== ''),
  }
}

/** Returns a host name as sockets need it: an IPv6 address without its brackets. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/** Connects to an https deployment through tunnels that a proxy opens (RFC 9110, section 9.3.6). */
export class TunnelAgent extends https.Agent {
  readonly #proxy: HttpProxy
  readonly #authority: string
  readonly #options: https.AgentOptions
  /** The request for a tunnel that is under way. */
  #opening: http.ClientRequest | undefined

  constructor(proxy: HttpProxy, { hostname, port }: URL, options: https.AgentOptions) {
    super(options)
    this.#proxy = proxy
    this.#options = options
    this.#authority = `${hostname}:${port || 443}`
  }

  override createConnection(
    options: https.RequestOptions,
    callback: (error: Error | null, connection: Duplex) => void,
  ): undefined {
    // the type wants a connection also with an error
    const fail = callback as (error: Error) => void
    const { protocol, host, port, authorization, origin } = this.#proxy
    const opening = (protocol === 'https:' ? https : http).request({
      ...this.#options,
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
    opening.once('connect', ({ statusCode = 0, statusMessage = '' }, socket) => {
      // `tls.connect`, which gets these options, takes a socket
      const onTunnel = { ...options, socket } as https.RequestOptions
      if (statusCode >= 200 && statusCode < 300)
        return callback(null, super.createConnection(onTunnel) as Duplex)
      socket.destroy()
      fail(new ProxyRefusal(this.#proxy, statusCode, statusMessage, this.#authority))
    })
    opening.end()
    return undefined
  }

  override destroy(): void {
    this.#opening?.destroy()
    super.destroy()
  }
}

/** A proxy has refused its service. This is no response of the deployment. */
export class ProxyRefusal extends Error {
  constructor({ origin, authorization }: HttpProxy, status: number, reason: string, authority: string) {
    const said =
      `the proxy ${origin} refuses the connection to ${authority}: ${status} ${printable(reason)}`.trim()
    super(`${said}; ${adviceFor(status, authorization !== undefined)}`)
  }
}

function adviceFor(status: number, hasCredentials: boolean): string {
  if (status !== 407) return 'ask who runs it, or name the host in NO_PROXY'
  return hasCredentials
    ? 'it does not accept its credentials'
    : 'give its credentials in the address, as in HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT'
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
