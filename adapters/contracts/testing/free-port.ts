import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** Ports that this process has already returned. A test may start its server much later. */
const reservedPorts = new Set<number>()

/** Returns a port below the ephemeral range that nothing uses. */
export async function findFreePort(): Promise<number> {
  const port = randomInt(10_000, 32_000)
  if (reservedPorts.has(port) || !(await isFree(port))) return findFreePort()
  reservedPorts.add(port)
  return port
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const canListen = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (canListen) await once(server.close(), 'close')
  return canListen
}

/** Checks whether a server accepts connections on a port. */
export async function acceptsConnections(port: number, host = '127.0.0.1'): Promise<boolean> {
  const socket = connect(port, host)
  const isConnected = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isConnected
}
