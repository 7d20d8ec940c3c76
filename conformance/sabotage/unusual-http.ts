import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import { serveHttp, started, type TestServer } from '../network/testing/servers.ts'
import type { Handler } from './deployment.ts'

/** Serves a handler over HTTP/1.0: header names in lower case, and bodies that end where the connection ends. */
export function serveHttp10(handler: Handler): Promise<TestServer> {
  return serveHttp(async (incoming) => {
    const response = await handler(await toRequest(incoming))
    const lines = [...response.headers].map(([name, value]) => `${name}:${value}\r\n`)
    incoming.socket.write(`HTTP/1.0 ${response.status}\r\n${lines.join('')}\r\n`)
    incoming.socket.end(Buffer.from(await response.arrayBuffer()))
  })
}

/** Returns a request as handlers take it. */
export async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const { method = 'GET', url = '/', headers } = incoming
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return new Request(`http://reference.test${url}`, {
    method,
    headers: Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as [string, string]] : [],
    ),
    ...(method === 'POST' && { body: Buffer.concat(chunks) }),
  })
}

const badRequest = 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'

/**
 * Serves a handler over HTTP/1.1 with one mistake: it rejects a POST with another media type than JSON (415) without reading
 * its body, which it then takes for the beginning of the next request on the connection, and rejects that with 400.
 */
export function serveUnreadBodies(handler: Handler): Promise<TestServer> {
  const server = createServer((socket) => {
    let buffer = ''
    let turn = Promise.resolve()
    socket.setEncoding('utf8').on('data', (text) => {
      turn = turn.then(async () => {
        buffer += text
        for (let request = readRequest(buffer); request !== undefined; request = readRequest(buffer)) {
          buffer = buffer.slice(request.length)
          if (request.kind === 'invalid') socket.end(badRequest)
          else socket.write(await responseText(handler, request))
        }
      })
    })
  })
  return started(server)
}

interface ReadRequest {
  /** `unread`: the body is left on the connection. */
  readonly kind: 'valid' | 'unread' | 'invalid'
  /** The number of characters read. */
  readonly length: number
  readonly method: string
  readonly target: string
  readonly authorization: string
  readonly body: string
}

/** Reads the first request of a text; `undefined` if it is not complete. */
function readRequest(text: string): ReadRequest | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = text.slice(0, end)
  const header = (name: string): string => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? ''
  const [, method = '', target = ''] = /^(GET|POST) (\S+) HTTP\/1\.1\r\n/.exec(head) ?? []
  const isUnread = method === 'POST' && header('content-type') !== 'application/json'
  const rest = Buffer.from(text.slice(end + 4))
  const bodyLength = isUnread || method === '' ? 0 : Number(header('content-length'))
  if (rest.byteLength < bodyLength) return undefined
  const body = rest.subarray(0, bodyLength).toString()
  return {
    kind: method === '' ? 'invalid' : isUnread ? 'unread' : 'valid',
    length: end + 4 + body.length,
    method,
    target,
    authorization: header('authorization'),
    body,
  }
}

/** Returns the response of the handler. For an unread body, it has the headers of a list, and a 415. */
async function responseText(handler: Handler, request: ReadRequest): Promise<string> {
  const { kind, target, authorization } = request
  const method = kind === 'unread' ? 'GET' : request.method
  const response = await handler(
    new Request(`http://reference.test${target}`, {
      method,
      headers: { ...(authorization !== '' && { authorization }), 'content-type': 'application/json' },
      ...(method === 'POST' && { body: request.body }),
    }),
  )
  const isRejected = kind === 'unread' && response.status === 200
  const status = isRejected ? 415 : response.status
  const body = isRejected
    ? '{"code":"media_type","message":"Send JSON.","status":415}'
    : await response.text()
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `HTTP/1.1 ${status} Status\r\n${lines}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
