import { createServer as createHttpServer, request as httpRequest, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Socket, type Server as TcpServer } from 'node:net'
import { authorityCert, serverPair } from './certificates.ts'

/** A server on a free port of 127.0.0.1. */
export interface TestServer {
  readonly port: number
  readonly baseUrl: string
  close(): Promise<void>
}

/** Starts a server. `close` also destroys open connections. */
export async function startServer(server: TcpServer): Promise<TestServer> {
  const openSockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    openSockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => openSockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The address of a TCP server is an object once the server listens.
  const { port } = server.address() as AddressInfo
  return {
    port,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close() {
      for (const socket of openSockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Starts a server that answers raw bytes. */
export function serveSockets(
  serve: (socket: Socket, text: string, connection: number) => void,
): Promise<TestServer> {
  let connections = 0
  return startServer(
    createServer((socket) => {
      const connection = ++connections
      socket.on('data', (chunk) => serve(socket, chunk.toString('latin1'), connection))
    }),
  )
}

export function serveHttp(listener: RequestListener): Promise<TestServer> {
  return startServer(createHttpServer(listener))
}

/** Starts an HTTPS server, which may require a client certificate. */
export function serveHttps(listener: RequestListener, requiresClient = false): Promise<TestServer> {
  const options = {
    ...serverPair,
    ca: authorityCert,
    requestCert: requiresClient,
    rejectUnauthorized: requiresClient,
  }
  return startServer(createHttpsServer(options, listener))
}

/** A proxy that records the URLs it forwards and the tunnels it opens. */
export interface TestProxy extends TestServer {
  readonly targets: readonly string[]
  readonly tunnels: readonly string[]
}

export interface ProxyBehaviour {
  /** Value of `Proxy-Authorization` that the proxy requires. */
  readonly authorization?: string
  /** Status that the proxy returns to every CONNECT request. */
  readonly rejection?: string
  /** Response to every forwarded request. */
  readonly page?: { readonly status: number; readonly headers: Readonly<Record<string, string>> }
}

/** Starts an HTTP proxy with support for CONNECT. */
export async function serveProxy({
  authorization,
  rejection,
  page,
}: ProxyBehaviour = {}): Promise<TestProxy> {
  const targets: string[] = []
  const tunnels: string[] = []
  const listener: RequestListener = (request, response) => {
    targets.push(request.url ?? '')
    if (request.headers['proxy-authorization'] !== authorization)
      return void response.writeHead(407).end('no')
    if (page !== undefined) return void response.writeHead(page.status, page.headers).end('<html>No.</html>')
    const { 'proxy-authorization': _, ...headers } = request.headers
    const forwardedRequest = httpRequest(
      request.url ?? '',
      { method: request.method ?? 'GET', headers, agent: false },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    forwardedRequest.on('error', () => response.writeHead(502).end())
    request.pipe(forwardedRequest)
  }
  const server = createHttpServer(listener)
  server.on('connect', (request, client: Socket) => {
    const { url = '', headers } = request
    tunnels.push(url)
    client.on('error', () => client.destroy())
    const status =
      headers['proxy-authorization'] === authorization ? rejection : '407 Proxy Authentication Required'
    if (status !== undefined) return void client.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`)
    const { hostname, port } = new URL(`http://${url}`)
    const upstreamSocket = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      client.pipe(upstreamSocket).pipe(client)
    })
    upstreamSocket.on('error', () => client.destroy())
    client.once('close', () => upstreamSocket.destroy())
  })
  return { ...(await startServer(server)), targets, tunnels }
}
