import { connect, type Socket } from 'node:net'

/** Number of connections of a crowd, and of the bytes that it sent and read. */
export interface Traffic {
  readonly connections: number
  readonly sent: number
  readonly received: number
}

/** A kind of client of a crowd. */
export interface Client {
  /** Number of clients of this kind that are connected at any time. */
  readonly count: number
  /** The way the client reads its connection; `all` by default. */
  readonly reads?: 'nothing' | 'all' | 'a byte a second'
  /** After how long the client connects again, in milliseconds. By default it waits until the server closes. */
  readonly lifetimeMs?: number
  /** Called once for each new connection. `index` is from 0 to `count` - 1. */
  use(socket: Socket, index: number): void
}

/** Hostile clients that connect again when they are disconnected, until the process ends. */
export interface Crowd {
  join(client: Client): void
  traffic(): Traffic
}

/** Time after which a disconnected client connects again, in milliseconds. */
const returnMs = 50

/** Interval between the reads of a client that reads one byte per second, in milliseconds. */
const byteMs = 1_000

/** Creates a crowd whose clients connect to a port of this machine. */
export function createCrowd(port: number): Crowd {
  const open = new Set<Socket>()
  let connections = 0
  let sent = 0
  let received = 0

  function connectClient(client: Client, index: number) {
    const { reads = 'all', lifetimeMs } = client
    const isSlow = reads === 'a byte a second'
    const socket = connect({ port, host: '127.0.0.1', ...(isSlow && { onread: oneByte }) })
    if (reads === 'nothing') socket.pause()
    if (reads === 'all') socket.resume()
    const reading = isSlow ? setInterval(() => socket.resume(), byteMs) : undefined
    const leaving = lifetimeMs === undefined ? undefined : setTimeout(() => socket.destroy(), lifetimeMs)
    socket.on('connect', () => {
      connections++
      open.add(socket)
      client.use(socket, index)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(reading)
      clearTimeout(leaving)
      open.delete(socket)
      sent += sentBy(socket)
      received += socket.bytesRead
      setTimeout(connectClient, returnMs, client, index)
    })
  }

  return {
    join(client) {
      for (let index = 0; index < client.count; index++) connectClient(client, index)
    },
    traffic() {
      const all = [...open]
      return {
        connections,
        sent: all.reduce((sum, socket) => sum + sentBy(socket), sent),
        received: all.reduce((sum, socket) => sum + socket.bytesRead, received),
      }
    },
  }
}

/** Returns the bytes that have left this process. */
function sentBy(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength
}

/** Reads one byte, and the next when the socket is resumed. */
const oneByte = { buffer: new Uint8Array(1), callback: () => false }
