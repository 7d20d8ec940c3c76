import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Capture } from './capture.ts'

/** A connection to a local server, for tests that write bytes. */
export interface Connection {
  readonly socket: Socket
  /** The text that the server has sent. */
  readonly received: Capture
  /** Resolves when the server has closed it. */
  readonly closed: Promise<void>
}

export async function openConnection(port: number): Promise<Connection> {
  const socket = connect(port, '127.0.0.1')
  const received = new Capture()
  socket.pipe(received)
  socket.on('error', () => {}) // `closed` resolves after it
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
  })
  await once(socket, 'connect')
  return { socket, received, closed }
}
