import { createServer, type Socket } from 'node:net'
import { started, type TestServer } from '../network/testing/servers.ts'
import type { Expected } from './degenerate.ts'

/** A server that violates HTTP, or that never finishes a response: it needs the socket itself. */
export interface DegenerateSocket extends Expected {
  /** What it does on a connection once a request has come in. */
  readonly serve: (socket: Socket) => void
  /** Set where a request runs into its timeout. */
  readonly hangs?: true
}

const head = (length: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${length}\r\n\r\n`
const redirect =
  'HTTP/1.1 307 Temporary Redirect\r\nLocation: /v1/pets\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
/** A megabyte of white space, which may precede a JSON text. */
const blanks = Buffer.alloc(1_000_000, ' ')
const letters = Buffer.alloc(1_000_000, 'x')

/** Writes the same bytes so many times, or until the client closes the connection; respects backpressure. */
const writeRepeatedly = (socket: Socket, chunk: Buffer, times = Number.POSITIVE_INFINITY): void => {
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

/** Sends a head, and then the same bytes so many times. */
const floods =
  (start: string, chunk: Buffer, times?: number): DegenerateSocket['serve'] =>
  (socket) => {
    socket.write(start)
    writeRepeatedly(socket, chunk, times)
  }

/** The client has no response. */
const silent: readonly Omit<DegenerateSocket, 'passes' | 'exit'>[] = [
  { does: 'resets every connection', serve: (socket) => socket.resetAndDestroy() },
  { does: 'closes every connection', serve: (socket) => socket.end() },
  { does: 'never responds', hangs: true, serve: () => {} },
  { does: 'does not speak HTTP', serve: (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n') },
  {
    does: 'stops in the middle of its headers',
    hangs: true,
    serve: (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Ty'),
  },
  {
    does: 'resets the connection in the middle of a body',
    serve: (socket) => socket.write(`${head('Content-Length: 1000')}[{"id":`, () => socket.resetAndDestroy()),
  },
  {
    does: 'sends less of a body than its Content-Length',
    serve: (socket) => socket.end(`${head('Content-Length: 1000')}[]`),
  },
  {
    does: 'sends its bodies byte by byte',
    hangs: true,
    serve: (socket) => {
      socket.write(head('Content-Length: 100000'))
      const timer = setInterval(() => socket.write(' '), 5)
      socket.once('close', () => clearInterval(timer))
    },
  },
  { does: 'sends a header of 50 MB', serve: floods('HTTP/1.1 200 OK\r\nX-Long: ', letters, 50) },
]

/** The client has a status, without rate-limit headers. */
const statusOnly: typeof silent = [
  { does: 'never ends a body', serve: floods(head('Connection: close'), blanks) },
  { does: 'sends a body of 50 MB', serve: floods(head('Content-Length: 50000000'), blanks, 50) },
]

/** Servers that a handler in the same process cannot represent. */
export const degenerateSockets: readonly DegenerateSocket[] = [
  ...silent.map((server) => ({ ...server, passes: [], exit: 3 as const })),
  ...statusOnly.map((server) => ({ ...server, passes: ['ERR-6', 'LIST-1'], exit: 1 as const })),
  { does: 'redirects in a circle', serve: (socket) => socket.end(redirect), passes: ['ERR-6'], exit: 1 },
]

/** A degenerate server on a free port of this machine. */
export interface Listening extends TestServer {
  /** The number of connections that have sent a request. */
  requests(): number
  /** The number of bytes sent. */
  bytesSent(): number
}

/** Starts a degenerate server. */
export async function listen({ serve }: Pick<DegenerateSocket, 'serve'>): Promise<Listening> {
  const sockets: Socket[] = []
  let requests = 0
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.once('data', () => {
      requests += 1
      serve(socket)
    })
  })
  return {
    ...(await started(server)),
    requests: () => requests,
    bytesSent: () => sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
  }
}
