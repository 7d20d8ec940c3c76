import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { OptionRule } from '../../core/internal.ts'
import { closeAfter, connectionOf, isIgnored } from './connection.ts'

/** The times of a graceful close, in milliseconds from 0. */
export interface DrainTimes {
  /** How long an open connection is silent before it closes; 1,000 by default. */
  readonly quietMs?: number
  /** How long new connections are accepted at the most; 5,000 by default. It ends sooner when no connection is open. */
  readonly acceptMs?: number
  /** When the connections that are still busy close; 10,000 by default. */
  readonly deadlineMs?: number
}

const aTime: OptionRule = [(ms) => Number.isFinite(ms) && Number(ms) >= 0, 'a number of milliseconds from 0']
export const drainRules: Readonly<Record<keyof DrainTimes, OptionRule>> = {
  quietMs: aTime,
  acceptMs: aTime,
  deadlineMs: aTime,
}

/**
 * How long no new connection may have come when the server stops listening, in milliseconds, and none in the last turn
 * of the event loop, which may take longer: the system resets those that wait to be accepted. Meanwhile connections
 * stay open, so that a proxy whose clients have one each needs no others.
 */
const settledMs = 50
/** How long that is waited for at the most, in milliseconds. */
const longestSettlingMs = 1_000

export interface Drain {
  readonly begun: boolean
  /** How many connections were still busy at the deadline. */
  readonly cutOff: number
  /** Wraps the listener of all requests, so that the drain sees them. */
  watch(listener: RequestListener): RequestListener
  /** Closes the server without losing a request. It emits `close` once none is open; later calls do nothing. */
  begin(): void
}

interface Connection {
  /** The response to its latest request, from `begin` on: when that is sent, all are. */
  latest: ServerResponse | undefined
  bytesRead: number
  quietSince: number
}

/**
 * Makes the end of a server graceful. From `begin` on, the last response of each connection says `Connection: close`.
 * New connections are accepted for a while, for clients that do not know yet. Silent connections close. Call it before
 * the server listens, on a server whose requests are ordered: that records the latest response of each connection.
 *
 * @param checkMs How often the connections are checked, in milliseconds.
 */
export function createDrain(server: Server, times: DrainTimes = {}, checkMs = 100): Drain {
  const { quietMs = 1_000, acceptMs = 5_000, deadlineMs = 10_000 } = times
  const connections = new Map<Socket, Connection>()
  const closeServer = server.close.bind(server)
  let begunAt: number | undefined
  let cutOff = 0
  let acceptedAt = 0
  /** Until when the server waits for a moment without new connections to stop listening. */
  let settlesUntil: number | undefined

  server.on('connection', (socket: Socket) => {
    acceptedAt = performance.now()
    connections.set(socket, { latest: undefined, bytesRead: 0, quietSince: acceptedAt })
    socket.once('close', () => connections.delete(socket))
  })

  function closeQuiet(now: number): void {
    for (const [socket, connection] of connections) {
      const isBusy = connection.latest?.writableFinished === false
      if (isBusy || socket.bytesRead !== connection.bytesRead) {
        connection.bytesRead = socket.bytesRead
        connection.quietSince = now
      } else if (now - connection.quietSince >= quietMs) socket.destroySoon()
    }
  }

  /** Node would also close the connections on which a request is arriving. */
  function stopListening(): void {
    if (!server.listening) return
    const closeIdle = server.closeIdleConnections
    server.closeIdleConnections = () => {}
    closeServer()
    server.closeIdleConnections = closeIdle
    closeAfterLatest()
  }

  function closeAfterLatest(): void {
    for (const { latest } of connections.values()) if (latest) closeAfter(latest)
  }

  function begin(): void {
    if (begunAt !== undefined) return
    const start = performance.now()
    begunAt = start
    for (const [socket, connection] of connections) {
      connection.quietSince = start
      connection.latest = connectionOf(socket).latest
    }
    closeAfterLatest()
    let checkedAt = start
    function check(): void {
      const now = performance.now()
      const isOver = now - start >= deadlineMs
      closeQuiet(now)
      if (connections.size === 0 || now - start >= acceptMs) settlesUntil ??= now + longestSettlingMs
      const isQuiet = now - acceptedAt >= settledMs && acceptedAt < checkedAt
      const isSettled = isQuiet || now >= (settlesUntil ?? 0)
      checkedAt = now
      if (isOver || (settlesUntil !== undefined && isSettled)) stopListening()
      if (!isOver && (connections.size > 0 || server.listening)) return
      clearInterval(timer)
      cutOff = connections.size
      for (const socket of connections.keys()) socket.destroy()
    }
    // After the input of a turn, so that what has arrived is read before anything closes.
    const timer = setInterval(() => setImmediate(check), checkMs)
  }

  return {
    get begun() {
      return begunAt !== undefined
    },
    get cutOff() {
      return cutOff
    },
    watch: (listener) => (req, res) => {
      if (begunAt === undefined) {
        listener(req, res)
        return
      }
      if (isIgnored(res)) return
      const connection = connections.get(req.socket)
      const before = connection?.latest
      if (before && !before.headersSent) before.removeHeader('Connection')
      if (connection) connection.latest = res
      // By then all requests are known that arrived together with this one.
      setImmediate(() => {
        if (connection?.latest === res && !(settlesUntil && server.listening)) closeAfter(res)
        listener(req, res)
      })
    },
    begin,
  }
}
