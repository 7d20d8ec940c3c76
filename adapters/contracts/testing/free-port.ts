import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

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
