import type { RequestListener, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'

/** All in milliseconds. */
export interface DrainTimes {
  /** How long a connection stays silent before it is closed; about 1,000 by default. */
  readonly quietMs?: number
  /** How long new connections are taken in at the most; 5,000 by default. Without any connection it ends sooner. */
  readonly acceptMs?: number
  /** When all is cut off that is still busy; 10,000 by default. */
  readonly deadlineMs?: number
  /** How often it is looked; 100 by default. */
  readonly lookMs?: number
}

export interface Drain {
  readonly begun: boolean
  /** Lets the drain see a handler's requests. Each request goes through one of these. */
  watch(handler: RequestListener): RequestListener
  /** Ends the server without losing a request. Resolves when no connection is left, with how many had to be cut off. */
  begin(): Promise<number>
}

interface Connection {
  /** The answer to its last request so far: when that is out, all are. */
  latest: ServerResponse | undefined
  bytesRead: number
  quietSince: number
}

/**
 * Makes a server's end graceful. From `begin` on, each answer says `Connection: close`, where several are due on a
 * connection the last of them; new connections are still taken in for a while, so that nobody is refused who
 * has not yet heard; connections that are silent are closed. Call it before the server listens.
 */
export function createDrain(server: Server, times: DrainTimes = {}): Drain {
  const { quietMs = 1_000, acceptMs = 5_000, deadlineMs = 10_000, lookMs = 100 } = times
  const connections = new Map<Socket, Connection>()
  let begunAt: number | undefined

  server.on('connection', (socket: Socket) => {
    connections.set(socket, { latest: undefined, bytesRead: 0, quietSince: performance.now() })
    socket.once('close', () => connections.delete(socket))
  })

  /** Closes what is silent. */
  function closeQuiet(now: number): void {
    for (const [socket, connection] of connections) {
      const isBusy = connection.latest?.writableFinished === false
      if (isBusy || socket.bytesRead !== connection.bytesRead) {
        connection.bytesRead = socket.bytesRead
        connection.quietSince = now
      } else if (now - connection.quietSince >= quietMs) socket.destroySoon()
    }
  }

  return {
    get begun() {
      return begunAt !== undefined
    },
    watch: (handler) => (req, res) => {
      const connection = connections.get(req.socket)
      const before = connection?.latest
      if (connection) connection.latest = res
      if (begunAt === undefined) {
        handler(req, res)
        return
      }
      if (before) before.shouldKeepAlive = true
      // By then all requests are known that came in one piece with this one.
      setImmediate(() => {
        if (connection?.latest === res) res.shouldKeepAlive = false
        handler(req, res)
      })
    },
    begin() {
      const start = performance.now()
      begunAt = start
      for (const connection of connections.values()) {
        connection.quietSince = start
        if (connection.latest) connection.latest.shouldKeepAlive = false
      }
      return new Promise((resolve) => {
        function look(): void {
          const now = performance.now()
          closeQuiet(now)
          // Not http's own close: that one would also close connections on which a request is on its way.
          if (server.listening && (connections.size === 0 || now - start >= acceptMs))
            NetServer.prototype.close.call(server)
          if (connections.size > 0 && now - start < deadlineMs) return
          clearInterval(timer)
          resolve(connections.size)
        }
        // Behind a turn's input, so that what has arrived has been read before anything is closed.
        const timer = setInterval(() => setImmediate(look), lookMs)
      })
    },
  }
}
