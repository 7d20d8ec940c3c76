import type { IncomingMessage } from 'node:http'
import { serveHttp, type TestServer } from '../network/testing/servers.ts'
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
