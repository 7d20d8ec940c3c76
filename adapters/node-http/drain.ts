import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { OptionRule } from '../../core/internal.ts'
import { endOfTurn, runNextTurn } from '../event-loop/index.ts'
import { closeAfter, getConnection, isIgnored, openSockets } from './connection.ts'

/** The times of a graceful close, in milliseconds from 0. */
export interface DrainTimes {
  /** Time after which a silent connection closes; 1,000 by default. */
  readonly quietMs?: number
  /** Maximum time for new connections; 5,000 by default. It ends sooner if no connection is open. */
  readonly acceptMs?: number
  /** Time after which busy connections close; 10,000 by default. */
  readonly deadlineMs?: number
}

const aTime: OptionRule = [(ms) => Number.isFinite(ms) && Number(ms) >= 0, 'a number of milliseconds from 0']
export const drainRules: Readonly<Record<keyof DrainTimes, OptionRule>> = {
  quietMs: aTime,
  acceptMs: aTime,
  deadlineMs: aTime,
}

/**
 * Pause between new connections that lets the server stop listening, in milliseconds. It includes at least one whole
 * turn of the event loop: the system resets connections that wait to be accepted. Until the pause, connections stay
 * open, so a proxy with one connection per client needs no others.
 */
const pauseMs = 50
/** Maximum time that the server waits for such a pause, in milliseconds. */
const maxWaitMs = 1_000
/** Interval of the checks of the connections, in milliseconds. */
const checkMs = 100

export interface Drain {
  readonly begun: boolean
  /** Number of connections that were still busy at the deadline. */
  readonly cutOff: number
  /** Wraps the listener of all requests, so that the drain sees them. */
  watch(listener: RequestListener): RequestListener
  /** Closes the server without losing a request. The server emits `close` at the end. Later calls do nothing. */
  begin(): void
}

/**
 * Creates the graceful close of a server. From `begin` on, the last response of each connection says
 * `Connection: close`. New connections are accepted for a while, since clients and proxies do not know of the close yet.
 * Silent connections close. Call it after `orderRequests`, and before the server listens.
 */
export function createDrain(server: Server, times: DrainTimes): Drain {
  const { quietMs = 1_000, acceptMs = 5_000, deadlineMs = 10_000 } = times
  const sockets = openSockets.get(server) ?? new Set()
  const closeServer = server.close.bind(server)
  let begun = false
  let cutOff = 0
  let acceptedAt = 0
  let acceptsUntil = Number.POSITIVE_INFINITY
  /** End of the wait for a pause between new connections. Undefined before it begins. */
  let waitsUntil: number | undefined

  server.on('connection', () => {
    acceptedAt = performance.now()
  })

  /** Closes the connections without progress for `quietMs`. */
  function closeSilent(now: number): void {
    for (const socket of sockets) {
      const connection = getConnection(socket)
      const { latest, silence } = connection
      // After acceptMs, bytes count only if they complete a head: not empty lines, and not one byte a second.
      const seen = now < acceptsUntil ? socket.bytesRead : latest
      if (latest?.writableFinished === false || !silence || silence.seen !== seen)
        connection.silence = { seen, since: now }
      else if (now - silence.since >= quietMs) socket.destroySoon()
    }
  }

  /** Stops listening, and closes no connection. `close` of Node would close connections on which a request arrives. */
  function stopListening(): void {
    if (!server.listening) return
    const closeIdle = server.closeIdleConnections
    server.closeIdleConnections = () => {}
    closeServer()
    server.closeIdleConnections = closeIdle
    closeAfterLatest()
  }

  function closeAfterLatest(): void {
    for (const socket of sockets) {
      const { latest } = getConnection(socket)
      if (latest) closeAfter(latest)
    }
  }

  /** Lets a connection stay open for a further request. Called before the response to that is known as the latest. */
  function keepOpen({ socket }: IncomingMessage): void {
    const { latest, final } = getConnection(socket)
    if (latest && !final && !latest.headersSent) latest.removeHeader('Connection')
  }

  function begin(): void {
    if (begun) return
    begun = true
    server.prependListener('request', keepOpen)
    closeAfterLatest()
    const start = performance.now()
    acceptsUntil = start + acceptMs
    let checkedAt = start
    function check(): void {
      const now = performance.now()
      const isOver = now - start >= deadlineMs
      closeSilent(now)
      if (sockets.size === 0 || now >= acceptsUntil) waitsUntil ??= now + maxWaitMs
      const isPause = now - acceptedAt >= pauseMs && acceptedAt < checkedAt
      checkedAt = now
      if (isOver || (waitsUntil !== undefined && (isPause || now >= waitsUntil))) stopListening()
      if (!isOver && (sockets.size > 0 || server.listening)) return
      clearInterval(timer)
      cutOff = sockets.size
      for (const socket of sockets) socket.destroy()
    }
    // Runs after the input of a turn is read, so that no connection with input closes.
    const timer = setInterval(() => runNextTurn(check), checkMs)
  }

  return {
    get begun() {
      return begun
    },
    get cutOff() {
      return cutOff
    },
    watch: (listener) => (req, res) => {
      if (!begun) return listener(req, res)
      if (isIgnored(req, res)) return
      // By then, the requests that arrived in the same turn are known.
      void endOfTurn().then(() => {
        if (getConnection(req.socket).latest === res && !(waitsUntil && server.listening)) closeAfter(res)
        listener(req, res)
      })
    },
    begin,
  }
}
