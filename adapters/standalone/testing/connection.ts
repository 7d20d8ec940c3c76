import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Capture } from './capture.ts'

/** A TCP connection for raw requests. */
export interface Connection {
  readonly socket: Socket
  /** Bytes from the server. */
  readonly received: Capture
  readonly closed: Promise<void>
}

export async function openConnection(port: number): Promise<Connection> {
  const socket = connect(port, '127.0.0.1')
  const received = new Capture()
  socket.pipe(received)
  socket.on('error', () => {}) // `close` follows
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
  })
  await once(socket, 'connect')
  return { socket, received, closed }
}
