import * as http from 'node:http'
import * as https from 'node:https'
import { Readable } from 'node:stream'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { mostOfHeaders } from '../transcript/bounds.ts'
import type { HeaderList } from '../transcript/transcript.ts'
import { type HttpProxy, ProxyRefusal, stripBrackets, TunnelAgent } from './proxy.ts'
import { type ReadBody, readBody, truncatedBody } from './read-body.ts'
import { type TlsOptions, toAgentOptions } from './tls-options.ts'
import type { Failure, Received, Transport, WireRequest } from './transport.ts'

/** The way to a deployment. */
export interface Route {
  /** The base URL of the deployment. */
  readonly url: URL
  readonly tls: TlsOptions
  readonly proxy: HttpProxy | undefined
}

/** Bun and Deno have `node:http`, but their agents do not decide on connections. */
const knowsConnections = process.versions.bun === undefined && !('Deno' in globalThis)

/** Returns a transport over `node:http` and `node:https` that keeps one connection, as most clients do. */
export function createNodeTransport(route: Route): Transport {
  const agent = createAgent(route)
  /** The connections that have carried a request. */
  const used = new WeakSet<object>()

  const send = async (request: WireRequest): Promise<Received> => {
    const { isFresh, body: content, most, deadline } = request
    if (isFresh) agent.destroy()
    const outgoing = open(request, route, agent)
    let isReused: boolean | undefined
    let response: http.IncomingMessage | undefined
    outgoing.once('socket', (socket) => {
      isReused = used.has(socket)
      used.add(socket)
    })
    const connection = (): Pick<Received, 'isReused'> => ({
      isReused: knowsConnections ? isReused === true : undefined,
    })
    try {
      response = await Promise.race([awaitResponse(outgoing, content), deadline.passed])
      const { statusCode: status = 0 } = response
      if (status === 407 && isPlainProxied(route))
        throw new ProxyRefusal(route.proxy, response, route.url.host)
      const headers = readHeaders(response)
      // the type of Node's streams lacks what `readBody` does not use
      const stream = Readable.toWeb(response) as ReadableStream<Uint8Array>
      const body = await readBody(stream, most, deadline)
      if (body.truncated) agent.destroy()
      return { kind: 'response', status, headers, body: decodeBody(body, headers, most), ...connection() }
    } catch (error) {
      outgoing.destroy()
      agent.destroy()
      const failure = response === undefined && isReused !== undefined ? classifyFailure(error) : 'other'
      return { kind: 'error', error: explainError(error, response, route), failure, ...connection() }
    }
  }
  return { send, close: () => agent.destroy() }
}

/** Returns an agent of one connection: to the deployment, to a proxy, or through a proxy. */
function createAgent({ url, tls, proxy }: Route): http.Agent {
  const one = { keepAlive: true, maxSockets: 1, noDelay: true }
  if (url.protocol === 'http:') return new http.Agent(one)
  const secure = { ...one, ...toAgentOptions(tls, knowsConnections) }
  return proxy === undefined ? new https.Agent(secure) : new TunnelAgent(proxy, url, secure)
}

/** Returns `true` if requests go to a proxy without a tunnel: then a 407 is its own (RFC 9110, section 15.5.8). */
function isPlainProxied(route: Route): route is Route & { readonly proxy: HttpProxy } {
  return route.proxy !== undefined && route.url.protocol === 'http:'
}

/** Begins a request. Through a proxy, the target of one for http has the absolute form (RFC 9112, section 3.2.2). */
function open(
  { method, url, headers, body }: WireRequest,
  route: Route,
  agent: http.Agent,
): http.ClientRequest {
  const isSecure = url.protocol === 'https:'
  const proxy = isPlainProxied(route) ? route.proxy : undefined
  const path = url.pathname + url.search
  const length = new TextEncoder().encode(body ?? '').byteLength
  const outgoing = (isSecure ? https : http).request({
    agent,
    method,
    host: proxy?.host ?? stripBrackets(url.hostname),
    port: proxy?.port ?? (Number(url.port) || (isSecure ? 443 : 80)),
    path: proxy === undefined ? path : url.origin + path,
    // names and values in turn: names are sent as they are, and values byte by byte
    headers: [
      ['host', url.host],
      ...headers,
      ...(proxy?.authorization === undefined ? [] : [['proxy-authorization', proxy.authorization] as const]),
      ...(method !== 'GET' ? [['content-length', String(length)] as const] : []),
    ].flat(),
    maxHeaderSize: mostOfHeaders,
  })
  // bounded by their size
  outgoing.maxHeadersCount = 0
  return outgoing
}

function awaitResponse(
  outgoing: http.ClientRequest,
  body: string | undefined,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    // stays after the response: an error without a listener would end the process
    outgoing.on('error', reject).once('response', resolve).end(body)
  })
}

function readHeaders({ rawHeaders }: http.IncomingMessage): HeaderList {
  return rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1] ?? ''] as const] : [],
  )
}

function classifyFailure(error: unknown): Failure {
  const code = readCode(error)
  if (code.startsWith('HPE_') && code !== 'HPE_HEADER_OVERFLOW') return 'malformed'
  return code === 'ECONNRESET' || code === 'EPIPE' ? 'closed' : 'other'
}

function readCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Returns an error in the words of the suite if Node's words need some knowledge of Node. */
function explainError(error: unknown, response: http.IncomingMessage | undefined, route: Route): unknown {
  const code = readCode(error)
  if (code === 'HPE_HEADER_OVERFLOW')
    return new RangeError(`the headers are larger than ${mostOfHeaders / 1024} KiB`)
  if (response !== undefined)
    return code === 'ECONNRESET' ? new Error('the connection closed in the middle of the body') : error
  return isPlainProxied(route) && code !== ''
    ? new Error(`the proxy ${route.proxy.origin} fails`, { cause: error })
    : error
}

const decoders: ReadonlyMap<string, typeof gunzipSync> = new Map([
  ['gzip', gunzipSync],
  // another name of it (RFC 9110, section 8.4.1.3)
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
])

/**
 * Returns the body without its content codings (RFC 9110, section 8.4). The last coding is removed first. No request
 * accepts one, but servers apply them nevertheless. Bytes in an unknown coding are returned as they are.
 *
 * @param most Maximum size of the decoded body, in bytes; a longer one counts as truncated.
 * @throws {Error} The bytes are not in the coding that the headers state.
 */
function decodeBody(body: ReadBody, headers: HeaderList, most: number): ReadBody {
  const codings = headers
    .filter(([name]) => name === 'content-encoding')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  let { bytes } = body
  for (const coding of codings.toReversed()) {
    const decode = decoders.get(coding)
    if (decode === undefined || bytes.byteLength === 0) break
    try {
      bytes = new Uint8Array(decode(bytes, { maxOutputLength: Math.max(1, most) }))
    } catch (error) {
      // a RangeError is about the length
      if (error instanceof RangeError) return truncatedBody
      throw new Error(`the body is not in the content coding ${coding}, which its headers state`)
    }
  }
  return { ...body, bytes }
}
