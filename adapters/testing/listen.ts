import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo, Server as NetServer } from 'node:net'

/** Listens on a free local port, and returns the port. */
export async function listen(server: NetServer): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port // TCP servers have a port
}

/** Closes a server and its connections. */
export async function closeServer(server: Server): Promise<void> {
  const serverClose = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await serverClose
}
