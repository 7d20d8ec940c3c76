import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import { serveHttp, startServer, type TestServer } from '../servers.ts'
import type { Handler } from './deployment.ts'
import { createErrorResponse } from './exchange.ts'

/** Starts a server that responds with HTTP/1.0 and closes each connection. */
export function serveHttp10(handler: Handler): Promise<TestServer> {
  return serveHttp(async (incoming) => {
    const response = await handler(await toRequest(incoming))
    const headerLines = [...response.headers].map(([name, value]) => `${name}:${value}\r\n`)
    incoming.socket.write(`HTTP/1.0 ${response.status}\r\n${headerLines.join('')}\r\n`)
    incoming.socket.end(Buffer.from(await response.arrayBuffer()))
  })
}

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

/** Which POSTs a server rejects, and what it does with their body. */
export interface Rejection {
  readonly status: number
  readonly isRejected: (header: (name: string) => string) => boolean
  /**
   * `unread` leaves the body on the connection. `closed` sends `Connection: close` and closes the connection, and
   * `closed silently` omits that header.
   */
  readonly body: 'unread' | 'read' | 'closed' | 'closed silently'
  /** Status that the server returns for leftover bytes, 400 by default. */
  readonly leftover?: number
  /** Status of the response to the request after a rejection. */
  readonly next?: number
}

const htmlResponse = (status: number): string =>
  `HTTP/1.1 ${status} Status\r\nContent-Type: text/html\r\nContent-Length: 12\r\nConnection: close\r\n\r\n<h1>${status}</h1>`

/** Starts a server that rejects POSTs before it reads their body. */
export function serveRejecting(handler: Handler, rejection: Rejection): Promise<TestServer> {
  const server = createServer((socket) => {
    let buffer = ''
    let wasRejected = false
    let turn = Promise.resolve()
    const serveBuffered = async (text: string): Promise<void> => {
      buffer += text
      for (let request = readHead(buffer); request !== undefined; request = readHead(buffer)) {
        const { method, target, header, length, bodyLength } = request
        const isRejected = method === 'POST' && rejection.isRejected(header)
        const left = isRejected && rejection.body !== 'read' ? 0 : bodyLength
        if (buffer.length < length + left) return
        const body = Buffer.from(buffer.slice(length, length + left), 'latin1')
        buffer = buffer.slice(length + left)
        if (method === '') return void socket.end(htmlResponse(rejection.leftover ?? 400))
        if (wasRejected && rejection.next !== undefined) return void socket.end(htmlResponse(rejection.next))
        wasRejected ||= isRejected
        const headers = { authorization: header('authorization'), 'content-type': header('content-type') }
        const url = `http://reference.test${target}`
        // A rejected request has the rate-limit headers of a GET.
        const response = isRejected
          ? await handler(new Request(url, { headers }))
          : await handler(new Request(url, { method, headers, ...(method === 'POST' && { body }) }))
        const { status, body: text } = isRejected
          ? createErrorResponse(rejection.status)
          : { status: response.status, body: await response.text() }
        const more = isRejected && rejection.body === 'closed' ? 'connection: close\r\n' : ''
        const lines = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
        socket.write(
          `HTTP/1.1 ${status} Status\r\n${lines}${more}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
        )
        if (isRejected && rejection.body.startsWith('closed')) return void socket.end()
      }
    }
    // One character per byte, so that lengths are counted in bytes.
    socket.setEncoding('latin1').on('data', (text) => {
      turn = turn.then(() => serveBuffered(String(text)))
    })
  })
  return startServer(server)
}

/** Reads the request line and the headers, or returns `undefined` if they are incomplete. */
function readHead(text: string) {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = text.slice(0, end)
  const header = (name: string): string => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? ''
  const [, method = '', target = ''] = /^(GET|POST) (\S+) HTTP\/1\.1\r\n/.exec(head) ?? []
  return { method, target, header, length: end + 4, bodyLength: Number(header('content-length')) }
}
