import { once } from 'node:events'
import { connect } from 'node:net'

/** Resolves with whether something on this machine accepts connections on a port. */
export async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const accepted = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return accepted
}
