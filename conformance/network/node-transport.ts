import * as http from 'node:http'
import * as https from 'node:https'
import { Readable } from 'node:stream'
import { maxHeaderBytes } from '../transcript/bounds.ts'
import type { HeaderList } from '../transcript/transcript.ts'
import { decodeBody } from './decode-body.ts'
import { type HttpProxy, isFromProxy, ProxyRejectionError, stripBrackets, TunnelAgent } from './proxy.ts'
import { readBody } from './read-body.ts'
import { type TlsOptions, toAgentOptions } from './tls-options.ts'
import type { FailureKind, Transport, TransportResult, WireRequest } from './transport.ts'

/** How to reach the deployment. */
export interface Route {
  /** The base URL. */
  readonly url: URL
  readonly tls: TlsOptions
  readonly proxy: HttpProxy | undefined
}

/** Whether agents control connections. Bun and Deno have `node:http`, but agents do not control connections there. */
const controlsConnections = process.versions.bun === undefined && !('Deno' in globalThis)

/** Creates a transport on `node:http` and `node:https`. It keeps one connection open, as most clients do. */
export function createNodeTransport(route: Route): Transport {
  // The certificates are parsed once.
  const tlsOptions = route.url.protocol === 'https:' ? toAgentOptions(route.tls, controlsConnections) : {}
  let connectOptions: http.AgentOptions = {}
  let keptAgent = createAgent(route, tlsOptions)
  /** Sockets that were used for a request. */
  const usedSockets = new WeakSet<object>()
  /** Whether the deployment, and not only the proxy, has sent a response. */
  let isDeploymentSeen = false

  const sendOnce = async (request: WireRequest): Promise<TransportResult> => {
    const { opensConnection, beforeSend, body: content, maxBytes, deadline } = request
    if (opensConnection) keptAgent.destroy()
    const agent =
      beforeSend === undefined ? keptAgent : createAgent(route, { ...tlsOptions, ...connectOptions })
    const outgoingRequest = openRequest(request, route, agent)
    let isReused: boolean | undefined
    let response: http.IncomingMessage | undefined
    outgoingRequest.once('socket', (socket) => {
      isReused = usedSockets.has(socket)
      usedSockets.add(socket)
    })
    const connection = (): Pick<TransportResult, 'isReused'> => ({
      isReused: controlsConnections ? isReused === true : undefined,
    })
    try {
      response = await Promise.race([awaitResponse(outgoingRequest, content, beforeSend), deadline.passed])
      const { statusCode: status = 0 } = response
      if (isPlainProxied(route) && isFromProxy(response, isDeploymentSeen))
        throw new ProxyRejectionError(route.proxy, response, route.url.host)
      isDeploymentSeen = true
      const headers = readHeaders(response)
      // Node's stream type lacks members that `readBody` does not use
      const stream = Readable.toWeb(response) as ReadableStream<Uint8Array>
      const body = await readBody(stream, maxBytes, deadline)
      if (body.truncated) agent.destroy()
      return {
        kind: 'response',
        status,
        headers,
        body: decodeBody(body, headers, maxBytes, deadline),
        ...connection(),
      }
    } catch (error) {
      outgoingRequest.destroy()
      agent.destroy()
      const failure = response === undefined && isReused !== undefined ? classifyFailure(error) : 'other'
      return { kind: 'error', error: explainError(error, response, route), failure, ...connection() }
    } finally {
      if (agent !== keptAgent) agent.destroy()
    }
  }
  return {
    async send(request) {
      const receivedResponse = await sendOnce(request)
      if (!hasSlowAddress(receivedResponse)) return receivedResponse
      // The request was not sent yet. Only the deadline limits connection attempts from now on.
      connectOptions = { autoSelectFamilyAttemptTimeout: 2 ** 31 - 1 }
      keptAgent = createAgent(route, { ...tlsOptions, ...connectOptions })
      return sendOnce(request)
    },
    close: () => keptAgent.destroy(),
  }
}

/** Checks whether Node gave up an address too early. By default, Node tries the next address after 250 ms. */
function hasSlowAddress(received: TransportResult): boolean {
  if (received.kind === 'response' || !(received.error instanceof Error)) return false
  const { error } = received
  const errors = [error, error.cause].flatMap((one) => (one instanceof AggregateError ? one.errors : []))
  return errors.some((one) => readCode(one) === 'ETIMEDOUT')
}

/** Creates an agent with one connection, directly or through a proxy. */
function createAgent({ url, proxy }: Route, options: https.AgentOptions): http.Agent {
  const agentOptions = { ...options, keepAlive: true, maxSockets: 1, noDelay: true }
  if (url.protocol === 'http:') return new http.Agent(agentOptions)
  return proxy === undefined ? new https.Agent(agentOptions) : new TunnelAgent(proxy, url, agentOptions)
}

/**
 * Checks whether the proxy receives whole requests and may respond to them itself. For `https`, the proxy only opens a
 * tunnel.
 */
function isPlainProxied(route: Route): route is Route & { readonly proxy: HttpProxy } {
  return route.proxy !== undefined && route.url.protocol === 'http:'
}

/** Starts a request. A proxy requires the absolute form of the target (RFC 9112, section 3.2.2). */
function openRequest(
  { method, url, headers, body }: WireRequest,
  route: Route,
  agent: http.Agent,
): http.ClientRequest {
  const isSecure = url.protocol === 'https:'
  const proxy = isPlainProxied(route) ? route.proxy : undefined
  const path = url.pathname + url.search
  // Names below `.localhost` resolve to the loopback address, whatever the resolver says (RFC 6761, section 6.3).
  const isLoopback = url.hostname.endsWith('.localhost')
  const length = new TextEncoder().encode(body ?? '').byteLength
  const outgoingRequest = (isSecure ? https : http).request({
    agent,
    method,
    host: proxy?.host ?? (isLoopback ? 'localhost' : stripBrackets(url.hostname)),
    ...(isLoopback && { servername: url.hostname }),
    port: proxy?.port ?? (Number(url.port) || (isSecure ? 443 : 80)),
    path: proxy === undefined ? path : url.origin + path,
    // A flat list keeps names as they are, and sends values byte by byte.
    headers: [
      ['host', url.host],
      ...headers,
      ...(proxy?.authorization === undefined ? [] : [['proxy-authorization', proxy.authorization] as const]),
      ...(method !== 'GET' ? [['content-length', String(length)] as const] : []),
    ].flat(),
    maxHeaderSize: maxHeaderBytes,
  })
  // The number of headers is unlimited, as `maxHeaderSize` limits their size.
  outgoingRequest.maxHeadersCount = 0
  return outgoingRequest
}

function awaitResponse(
  outgoing: http.ClientRequest,
  body: string | undefined,
  beforeSend: WireRequest['beforeSend'],
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    // The listener remains after the response, as an unhandled error would terminate the process.
    outgoing.on('error', reject).once('response', resolve)
    if (beforeSend === undefined || !controlsConnections) return void outgoing.end(body)
    const sendBody = (): void => void beforeSend().then(() => outgoing.end(body))
    outgoing.once('socket', (socket) => {
      // a TLS connection through a tunnel has connected before its handshake
      if ('encrypted' in socket) socket.once('secureConnect', sendBody)
      else if (socket.connecting) socket.once('connect', sendBody)
      else sendBody()
    })
  })
}

function readHeaders({ rawHeaders }: http.IncomingMessage): HeaderList {
  return rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1] ?? ''] as const] : [],
  )
}

function classifyFailure(error: unknown): FailureKind {
  const errorCode = readCode(error)
  if (errorCode.startsWith('HPE_') && errorCode !== 'HPE_HEADER_OVERFLOW') return 'malformed'
  return errorCode === 'ECONNRESET' || errorCode === 'EPIPE' ? 'closed' : 'other'
}

function readCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Explains an error to readers who do not know Node. */
function explainError(error: unknown, response: http.IncomingMessage | undefined, route: Route): unknown {
  const errorCode = readCode(error)
  if (errorCode === 'HPE_HEADER_OVERFLOW')
    return new RangeError(`the headers exceed ${maxHeaderBytes / 1024} KiB`)
  if (response !== undefined)
    return errorCode === 'ECONNRESET'
      ? new Error('the connection was closed before the end of the response body')
      : error
  return isPlainProxied(route) && errorCode !== ''
    ? new Error(`the proxy ${route.proxy.origin} failed`, { cause: error })
    : error
}
