import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Outcome } from './degenerate.ts'

/** One that keeps to no protocol, or to it for too long: it takes a socket. */
export interface DegenerateSocket extends Outcome {
  /** What it does on a connection once a request has come in. */
  readonly serve: (socket: Socket) => void
  /** Whether it leaves its callers waiting. */
  readonly hangs?: true
}

const head = (length: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${length}\r\n\r\n`
const redirect =
  'HTTP/1.1 307 Temporary Redirect\r\nLocation: /v1/pets\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
/** A megabyte that may stand before a JSON text. */
const blanks = Buffer.alloc(1_000_000, ' ')
const letters = Buffer.alloc(1_000_000, 'x')

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

const nothing = { passes: [], exit: 3 } as const
/** The status has come, and the headers of the limits have not. */
const statusOnly = { passes: ['ERR-6', 'LIST-1'], exit: 1 } as const

/** Servers for whom a handler in the same process will not do. */
export const degenerateSockets: readonly DegenerateSocket[] = [
  { ...nothing, does: 'resets every connection', serve: (socket) => socket.resetAndDestroy() },
  { ...nothing, does: 'closes every connection', serve: (socket) => socket.end() },
  { ...nothing, does: 'never answers', hangs: true, serve: () => {} },
  { ...nothing, does: 'speaks no HTTP', serve: (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n') },
  {
    ...nothing,
    does: 'stops within its headers',
    hangs: true,
    serve: (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Ty'),
  },
  {
    ...nothing,
    does: 'resets the connection within a body',
    serve: (socket) => socket.write(`${head('Content-Length: 1000')}[{"id":`, () => socket.resetAndDestroy()),
  },
  {
    ...nothing,
    does: 'sends less of a body than it said',
    serve: (socket) => socket.end(`${head('Content-Length: 1000')}[]`),
  },
  {
    ...nothing,
    does: 'drips its bodies',
    hangs: true,
    serve: (socket) => {
      socket.write(head('Content-Length: 100000'))
      const drip = setInterval(() => socket.write(' '), 5)
      socket.once('close', () => clearInterval(drip))
    },
  },
  {
    ...statusOnly,
    does: 'never ends a body',
    serve: (socket) => {
      socket.write(head('Connection: close'))
      pour(socket, blanks)
    },
  },
  {
    ...statusOnly,
    does: 'sends 50 MB',
    serve: (socket) => {
      socket.write(head('Content-Length: 50000000'))
      pour(socket, blanks, 50)
    },
  },
  {
    ...nothing,
    does: 'sends 50 MB of header',
    serve: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX-Long: ')
      pour(socket, letters, 50)
    },
  },
  { does: 'sends one in a circle', serve: (socket) => socket.end(redirect), passes: ['ERR-6'], exit: 1 },
]

/** Such a server on a free port of this machine. */
export interface Listening {
  readonly baseUrl: string
  /** How many connections have brought a request. */
  asked(): number
  /** How many bytes it has sent. */
  sent(): number
  close(): Promise<void>
}

/** Starts such a server. */
export async function listen({ serve }: Pick<DegenerateSocket, 'serve'>): Promise<Listening> {
  const open = new Set<Socket>()
  let asked = 0
  let sent = 0
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      sent += socket.bytesWritten
      open.delete(socket)
    })
    socket.once('data', () => {
      asked += 1
      serve(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // a server that listens on a port has an address with one
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    asked: () => asked,
    sent: () => [...open].reduce((sum, { bytesWritten }) => sum + bytesWritten, sent),
    close: () => {
      for (const socket of open) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
