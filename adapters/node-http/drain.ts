import type { Server } from 'node:http'
import type { OptionRule } from '../../core/internal.ts'
import { runInNextTurn } from '../event-loop/index.ts'
import {
  type Connections,
  closeAfterLatestResponses,
  connectionsByServer,
  getConnection,
} from './connection.ts'
import { http } from './http.ts'

/** Times for a graceful shutdown, in milliseconds. Each is a finite number, 0 or more. */
export interface ShutdownOptions {
  /**
   * How long a connection may be idle before it is closed.
   *
   * @default 1000
   */
  readonly idleMs?: number
  /**
   * How long new connections are accepted. The server stops listening earlier if no connection is open.
   *
   * @default 5000
   */
  readonly acceptMs?: number
  /**
   * When connections that are still open are destroyed, counted from the beginning.
   *
   * @default 10000
   */
  readonly deadlineMs?: number
}

const durationRule: OptionRule = [
  (ms) => Number.isFinite(ms) && Number(ms) >= 0,
  'a number of milliseconds, 0 or more',
]
export const shutdownOptionRules: Readonly<Record<keyof ShutdownOptions, OptionRule>> = {
  idleMs: durationRule,
  acceptMs: durationRule,
  deadlineMs: durationRule,
}

/**
 * How long no connection may arrive before the server stops listening, in milliseconds. Connections that the system has
 * accepted and Node has not seen would be reset.
 */
const acceptPauseMs = 50
/** Maximum time to wait for a pause between new connections, in milliseconds. */
const maxAcceptPauseWaitMs = 1_000
/** How often a shutdown checks the connections, in milliseconds. */
const checkIntervalMs = 100

export interface Drain {
  readonly hasBegun: boolean
  /** How many connections were destroyed at the deadline. */
  readonly cutOffCount: number
  /** Starts the shutdown. Further calls have no effect. */
  begin(): void
}

/** Creates a graceful shutdown for a hardened server. */
export function createDrain(server: Server, times: ShutdownOptions): Drain {
  const { idleMs = 1_000, acceptMs = 5_000, deadlineMs = 10_000 } = times
  const connections = connectionsByServer.get(server) as Connections // hardenServer has registered this server
  const { sockets } = connections
  let begun = false
  let cutOff = 0
  let acceptedAt = 0
  let acceptsUntil = Number.POSITIVE_INFINITY
  /** When the server stops listening although connections still arrive. */
  let pauseDeadline: number | undefined

  server.on('connection', () => {
    acceptedAt = performance.now()
  })

  /** Closes each connection that has been idle for `idleMs`. */
  function closeIdleConnections(now: number): void {
    for (const socket of sockets) {
      const connection = getConnection(socket)
      const { latestResponse, lastActivity } = connection
      // Once `acceptMs` has passed, only a complete head counts as activity: a client cannot stay connected by sending
      // empty lines or single bytes.
      const seen = now < acceptsUntil ? socket.bytesRead : latestResponse
      if (latestResponse?.writableFinished === false || !lastActivity || lastActivity.seen !== seen)
        connection.lastActivity = { seen, since: now }
      else if (now - lastActivity.since >= idleMs) socket.destroySoon()
    }
  }

  /** Stops listening. Node's `close` alone would also close connections on which a request is arriving. */
  function stopListening(): void {
    if (!server.listening) return
    const closeIdle = server.closeIdleConnections
    server.closeIdleConnections = () => {}
    http.Server.prototype.close.call(server)
    server.closeIdleConnections = closeIdle
    connections.keepsConnectionsAlive = false
    closeAfterLatestResponses(connections)
  }

  function begin(): void {
    if (begun) return
    begun = true
    closeAfterLatestResponses(connections)
    const start = performance.now()
    acceptsUntil = start + acceptMs
    let checkedAt = start
    function check(): void {
      const now = performance.now()
      const isOver = now - start >= deadlineMs
      closeIdleConnections(now)
      if (sockets.size === 0 || now >= acceptsUntil) pauseDeadline ??= now + maxAcceptPauseWaitMs
      connections.keepsConnectionsAlive = pauseDeadline !== undefined && server.listening
      const isPause = now - acceptedAt >= acceptPauseMs && acceptedAt < checkedAt
      checkedAt = now
      if (isOver || (pauseDeadline !== undefined && (isPause || now >= pauseDeadline))) stopListening()
      if (!isOver && (sockets.size > 0 || server.listening)) return
      clearInterval(timer)
      cutOff = sockets.size
      for (const socket of sockets) socket.destroy()
    }
    // A check runs in the next turn, so that no connection closes whose request arrived while the event loop was
    // blocked.
    const timer = setInterval(() => runInNextTurn(check), checkIntervalMs)
  }

  return {
    get hasBegun() {
      return begun
    },
    get cutOffCount() {
      return cutOff
    },
    begin,
  }
}
