import type { Socket } from 'node:net'
import type { PetServer } from '../../node-http.ts'

/** What the metrics and the health checks read of a server that is made after them. */
export interface ServerState {
  /** The number of its open connections. */
  readonly connections: number
  readonly isClosing: boolean
  /** Watches a server that does not listen yet. */
  watch(server: Pick<PetServer, 'isClosing' | 'on'>): void
}

/** Creates the state of a server that is watched later. */
export function createServerState(): ServerState {
  let open = 0
  let watched: Pick<PetServer, 'isClosing'> | undefined
  return {
    get connections() {
      return open
    },
    get isClosing() {
      return watched?.isClosing ?? false
    },
    watch(server) {
      watched = server
      server.on('connection', (socket: Socket) => {
        open++
        socket.once('close', () => open--)
      })
    },
  }
}
