import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Counts the open connections of a server that does not listen yet. Returns how many there are. */
export function countConnections(server: Server): () => number {
  let open = 0
  server.on('connection', (socket: Socket) => {
    open++
    socket.once('close', () => open--)
  })
  return () => open
}
