import { createServer as createHttpServer, request as httpRequest, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Socket, type Server as TcpServer } from 'node:net'
import { authority, serverPair } from './certificates.ts'

/** A server on a free port of this machine. */
export interface TestServer {
  readonly port: number
  /** The base URL of the interface on it. */
  readonly baseUrl: string
  close(): Promise<void>
}

/** Starts a server, and closes its connections with it. */
export async function started(server: TcpServer): Promise<TestServer> {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // a server that listens on a port has an address with one
  const { port } = server.address() as AddressInfo
  return {
    port,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close() {
      for (const socket of open) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Serves what `serve` does with a connection. It is called with each chunk, and with the number of the connection. */
export function serveSockets(
  serve: (socket: Socket, text: string, connection: number) => void,
): Promise<TestServer> {
  let connections = 0
  return started(
    createServer((socket) => {
      const connection = ++connections
      socket.on('data', (chunk) => serve(socket, chunk.toString('latin1'), connection))
    }),
  )
}

export function serveHttp(listener: RequestListener): Promise<TestServer> {
  return started(createHttpServer(listener))
}

/** Serves https for localhost and 127.0.0.1, to clients with a certificate alone if so asked. */
export function serveHttps(listener: RequestListener, requiresClient = false): Promise<TestServer> {
  const options = {
    ...serverPair,
    ca: authority,
    requestCert: requiresClient,
    rejectUnauthorized: requiresClient,
  }
  return started(createHttpsServer(options, listener))
}

/** A proxy, and the targets of the requests and of the tunnels it received. */
export interface TestProxy extends TestServer {
  readonly targets: readonly string[]
  readonly tunnels: readonly string[]
}

/** The behaviour of a proxy. */
export interface ProxyBehaviour {
  /** The `Proxy-Authorization` that it requires. */
  readonly authorization?: string
  /** The status of its response to every tunnel, which it rejects. */
  readonly refusal?: string
}

/** Serves a proxy for http and, by tunnels, for https. */
export async function serveProxy({ authorization, refusal }: ProxyBehaviour = {}): Promise<TestProxy> {
  const targets: string[] = []
  const tunnels: string[] = []
  const listener: RequestListener = (request, response) => {
    targets.push(request.url ?? '')
    if (request.headers['proxy-authorization'] !== authorization)
      return void response.writeHead(407).end('no')
    const { 'proxy-authorization': _, ...headers } = request.headers
    const forwarded = httpRequest(
      request.url ?? '',
      { method: request.method ?? 'GET', headers, agent: false },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    forwarded.on('error', () => response.writeHead(502).end())
    request.pipe(forwarded)
  }
  const server = createHttpServer(listener)
  server.on('connect', (request, client: Socket) => {
    const { url = '', headers } = request
    tunnels.push(url)
    client.on('error', () => client.destroy())
    const status =
      headers['proxy-authorization'] === authorization ? refusal : '407 Proxy Authentication Required'
    if (status !== undefined) return void client.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`)
    const { hostname, port } = new URL(`http://${url}`)
    const onward = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      client.pipe(onward).pipe(client)
    })
    onward.on('error', () => client.destroy())
    client.once('close', () => onward.destroy())
  })
  return { ...(await started(server)), targets, tunnels }
}
