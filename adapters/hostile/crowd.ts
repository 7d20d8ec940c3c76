import { connect, type Socket } from 'node:net'

/** What a crowd has done: how often it connected, and how many bytes it sent and read. */
export interface Traffic {
  readonly connections: number
  readonly sent: number
  readonly received: number
}

/** What each client of a crowd does with its connection. */
export interface Client {
  /** How many of them are connected at any time. */
  readonly count: number
  /** How the connection is read: not at all, as fast as it comes, or a byte a second. All of it by default. */
  readonly reads?: 'nothing' | 'all' | 'a byte a second'
  /** After how long it connects anew, in milliseconds; by default not before the server has closed. */
  readonly lifetimeMs?: number
  /** Called once for each connection, when it is made; `index` is from 0 to `count` - 1. */
  use(socket: Socket, index: number): void
}

/** Hostile clients that connect again whenever they are disconnected. They stay until the process ends. */
export interface Crowd {
  join(client: Client): void
  traffic(): Traffic
}

/** How soon a client that was disconnected is back, in milliseconds. */
const returnMs = 50

/** How often a client that reads a byte a second reads one, in milliseconds. */
const byteMs = 1_000

/** A crowd at a port of this machine. */
export function createCrowd(port: number): Crowd {
  const open = new Set<Socket>()
  let connections = 0
  let sent = 0
  let received = 0

  function enter(client: Client, index: number) {
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
      setTimeout(enter, returnMs, client, index)
    })
  }

  return {
    join(client) {
      for (let index = 0; index < client.count; index++) enter(client, index)
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

/** Without what still waits in this process. */
function sentBy(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength
}

/** Reads one byte, and then no more until the socket is resumed. */
const oneByte = { buffer: new Uint8Array(1), callback: () => false }
