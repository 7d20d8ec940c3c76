import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

/** A server that keeps to no protocol, or to it for too long. */
export interface DegenerateSocket {
  /** What it does, as the rest of a sentence that begins with "a server that". */
  readonly does: string
  /** What it does on a connection once a request has come in. */
  readonly serve: (socket: Socket) => void
  /** The rules that hold on it in spite of all. */
  readonly passes: readonly string[]
  /** How a run against it exits. */
  readonly exit: 0 | 1 | 3
}

const head = (length: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${length}\r\n\r\n`
const megabyte = Buffer.alloc(1_000_000, ' ')

/** Writes the same bytes until the other side has had enough, or that many times. */
const pour = (socket: Socket, chunk: Buffer, times = Number.POSITIVE_INFINITY): void => {
  let left = times
  const more = (): void => {
    while (left > 0 && !socket.destroyed) {
      left -= 1
      if (!socket.write(chunk)) return void socket.once('drain', more)
    }
    socket.end()
  }
  more()
}

/** Servers for whom a handler in the same process will not do. */
export const degenerateSockets: readonly DegenerateSocket[] = [
  { does: 'resets every connection', serve: (socket) => socket.resetAndDestroy(), passes: [], exit: 3 },
  { does: 'closes every connection', serve: (socket) => socket.end(), passes: [], exit: 3 },
  { does: 'never answers', serve: () => {}, passes: [], exit: 3 },
  { does: 'speaks no HTTP', serve: (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'), passes: [], exit: 3 },
  {
    does: 'stops within its headers',
    serve: (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Ty'),
    passes: [],
    exit: 3,
  },
  {
    does: 'resets the connection within a body',
    serve: (socket) => socket.write(`${head('Content-Length: 1000')}[{"id":`, () => socket.resetAndDestroy()),
    passes: [],
    exit: 3,
  },
  {
    does: 'drips its bodies',
    serve: (socket) => {
      socket.write(head('Content-Length: 100000'))
      const drip = setInterval(() => socket.write(' '), 5)
      socket.once('close', () => clearInterval(drip))
    },
    passes: [],
    exit: 3,
  },
  {
    does: 'never ends a body',
    serve: (socket) => {
      socket.write(head('Connection: close'))
      pour(socket, megabyte)
    },
    passes: [],
    exit: 3,
  },
  {
    does: 'sends 50 MB',
    serve: (socket) => {
      socket.write(head('Content-Length: 50000000'))
      pour(socket, megabyte, 50)
    },
    passes: [],
    exit: 3,
  },
  {
    does: 'sends 50 MB of header',
    serve: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX-Long: ')
      pour(socket, megabyte, 50)
    },
    passes: [],
    exit: 3,
  },
]

/** What a server on a free port of this machine has done. */
export interface Listening {
  readonly baseUrl: string
  /** How many bytes it has handed to the system to send. */
  sent(): number
  close(): Promise<void>
}

/** Starts such a server. */
export async function listen({ serve }: Pick<DegenerateSocket, 'serve'>): Promise<Listening> {
  const sockets = new Set<Socket>()
  let gone = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      gone += socket.bytesWritten
      sockets.delete(socket)
    })
    socket.once('data', () => serve(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // a server that listens on a port has an address with one
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    sent: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, gone),
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
