import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

/** Returns a TCP port of this machine that is free. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The address of a TCP server is no string.
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

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
