import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { hasContent } from '../steps/step.ts'
import type { HeaderList } from '../transcript/transcript.ts'
import { type Connection, openConnection, type Route } from './connection.ts'
import { ProxyRefusal } from './proxy.ts'
import { type ReadBody, truncatedBody } from './read-body.ts'
import { ClosedFirst, Malformed, type RawResponse, readResponse } from './response-reader.ts'
import type { Failure, Transport, UsedConnection, WireRequest } from './transport.ts'

interface Numbered extends UsedConnection {
  readonly connection: Connection
}

/** Returns a transport that sends HTTP/1.1 over its own connections, directly or through a proxy. */
export function createSocketTransport(route: Omit<Route, 'url'>): Transport {
  let shared: Numbered | undefined
  let count = 0

  const close = (): void => {
    shared?.connection.close()
    shared = undefined
  }

  const connect = async (
    { url, connection: wanted, deadline }: WireRequest,
    signal: AbortSignal,
  ): Promise<Numbered> => {
    if (wanted === 'shared' && shared?.connection.isUsable() === true) return { ...shared, isReused: true }
    if (wanted !== 'own') close()
    const connection = await Promise.race([openConnection({ ...route, url }, signal), deadline.passed])
    count += 1
    const opened = { connection, number: count, isReused: false }
    if (wanted !== 'own') shared = opened
    return opened
  }

  return {
    close,
    async send(request) {
      const abort = new AbortController()
      request.deadline.passed.catch(() => abort.abort())
      let used: Numbered | undefined
      let receivedBefore = 0
      try {
        used = await connect(request, abort.signal)
        const { connection } = used
        receivedBefore = connection.reader.received
        connection.write(bytesOf(request, route))
        const response = await Promise.race([
          readResponse(connection.reader, request.most, request.method),
          request.deadline.passed,
        ])
        checkProxy(response, request.url, route)
        const isFollowed = response.isPersistent && connection.reader.hasMore
        if (response.isPersistent && request.connection !== 'own' && !isFollowed) connection.rest()
        else end(used)
        return {
          kind: 'response',
          ...responseOf(response, request.most),
          isFollowed,
          connection: usedOf(used),
        }
      } catch (error) {
        if (used === undefined) return { kind: 'error', error, failure: 'other' }
        end(used)
        const hasNothing = used.connection.reader.received === receivedBefore
        return { kind: 'error', error, failure: failureOf(error, hasNothing), connection: usedOf(used) }
      }
    },
  }

  function end({ connection }: Numbered): void {
    connection.close()
    if (shared?.connection === connection) shared = undefined
  }
}

function usedOf({ number, isReused }: Numbered): UsedConnection {
  return { number, isReused }
}

function responseOf(
  { status, headers, body }: RawResponse,
  most: number,
): Pick<RawResponse, 'status' | 'headers' | 'body'> {
  return { status, headers, body: decoded(body, headers, most) }
}

function failureOf(error: unknown, hasNothing: boolean): Failure {
  if (error instanceof Malformed) return 'malformed'
  const isReset = error instanceof Error && 'code' in error && /^(ECONNRESET|EPIPE)$/.test(String(error.code))
  return hasNothing && (isReset || error instanceof ClosedFirst) ? 'closed' : 'other'
}

/** Through a proxy, the target of a request for http has the absolute form (RFC 9112, section 3.2.2). */
function isAbsolute(url: URL, { proxy }: Omit<Route, 'url'>): boolean {
  return proxy !== undefined && url.protocol === 'http:'
}

function bytesOf({ method, url, headers, body }: WireRequest, route: Omit<Route, 'url'>): Uint8Array {
  const path = url.pathname + url.search
  const isProxied = isAbsolute(url, route)
  const content = new TextEncoder().encode(body ?? '')
  const authorization = isProxied ? route.proxy?.authorization : undefined
  const lines = [
    `${method} ${isProxied ? url.origin + path : path} HTTP/1.1`,
    `host: ${url.host}`,
    'connection: keep-alive',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(authorization === undefined ? [] : [`proxy-authorization: ${authorization}`]),
    ...(hasContent(method) || body !== undefined ? [`content-length: ${content.byteLength}`] : []),
    '',
    '',
  ]
  const head = latin1Bytes(lines.join('\r\n'))
  const bytes = new Uint8Array(head.byteLength + content.byteLength)
  bytes.set(head)
  bytes.set(content, head.byteLength)
  return bytes
}

function latin1Bytes(text: string): Uint8Array {
  return Uint8Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
}

/** Only a proxy returns 407 (RFC 9110, section 15.5.8). */
function checkProxy(response: RawResponse, url: URL, route: Omit<Route, 'url'>): void {
  if (route.proxy === undefined || !isAbsolute(url, route) || response.status !== 407) return
  throw new ProxyRefusal(route.proxy, response, url.host)
}

const decoders: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/**
 * Returns the body without its content codings (RFC 9110, section 8.4). No request accepts one, but servers apply them
 * nevertheless. Bytes in an unknown coding are returned as they are.
 *
 * @param most The most bytes of the decoded body; a longer one counts as truncated.
 * @throws {Error} The bytes are not in the coding that the headers state.
 */
function decoded(body: ReadBody, headers: HeaderList, most: number): ReadBody {
  const codings = headers
    .filter(([name]) => name === 'content-encoding')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  let { bytes, truncated } = body
  for (const coding of codings.reverse()) {
    const decode = decoders[coding]
    if (decode === undefined || truncated || bytes.byteLength === 0) return { bytes, truncated }
    try {
      bytes = new Uint8Array(decode(bytes, { maxOutputLength: Math.max(1, most) }))
    } catch (error) {
      // a RangeError is about the length
      if (error instanceof RangeError) return truncatedBody
      throw new Error(`the body is not in the content coding ${coding}, which its headers state`)
    }
    truncated = bytes.byteLength > most
  }
  return truncated ? truncatedBody : { bytes, truncated }
}
