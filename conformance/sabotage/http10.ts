import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Handler } from './deployment.ts'

/** A server on a free port of this machine. */
export interface Http10Server {
  readonly baseUrl: string
  close(): Promise<void>
}

/** Serves a handler over HTTP/1.0: header names in lower case, and bodies that end where the connection ends. */
export async function serveHttp10(handler: Handler): Promise<Http10Server> {
  const server = createServer(async (incoming) => {
    const response = await handler(await toRequest(incoming))
    const lines = [...response.headers].map(([name, value]) => `${name}:${value}\r\n`)
    incoming.socket.write(`HTTP/1.0 ${response.status}\r\n${lines.join('')}\r\n`)
    incoming.socket.end(Buffer.from(await response.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // a server that listens on a port has an address with one
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function toRequest(incoming: IncomingMessage): Promise<Request> {
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
