import { connect, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresPool } from '../../postgres/client.ts'
import type { Pg, PgClient } from './driver.ts'

/** A connection to one server, from the attempt to open it until the server has closed it. */
export interface Connection {
  /** Fulfills when statements can be sent; rejects with why not. */
  readonly opened: Promise<void>
  /** Fulfills when there is no connection any more; PostgreSQL has ended its backend by then. */
  readonly closed: Promise<void>
  readonly query: PostgresPool['query']
  /** Asks the server to cancel the statement. Resolves with whether the server was reachable; never rejects. */
  cancel(): Promise<boolean>
  /** Asks the server to close it, after the statement that is under way. */
  end(): void
  /** Breaks it, for a server that no longer has it. */
  break(): void
}

/** How long a server may take to accept a connection, in milliseconds, before there is any backend. */
const connectMs = 2_000
/** How long a server may take to accept a request to cancel, in milliseconds. */
const cancelMs = 1_000
/** The code of CancelRequest (PostgreSQL, Message Formats). */
const cancelCode = 80_877_102
/** How long a backend may take to end after its connection was broken, in milliseconds. */
const brokenMs = 250
/** The pauses between two requests to cancel, and until their effect, in milliseconds. */
const pauseMs = 500

/**
 * Opens a connection. Once the server has accepted it, it is not given up, however silent it is: its backend would go on.
 *
 * @param url - The address of one server.
 * @param onLost - Called when the server breaks it.
 */
export function openConnection(
  { Client }: Pg,
  url: string,
  onLost: (cause: Error) => void = () => {},
): Connection {
  const socket = new Socket()
  const client = new Client({ connectionString: url, stream: socket, keepAlive: true })
  client.on('error', onLost)
  const closed = new Promise<void>((resolve) => {
    client.once('end', resolve)
  }).then(() => (isBroken ? sleep(brokenMs) : undefined))
  let isBroken = false
  let statement: Promise<unknown> = Promise.resolve()
  let cancelling: Promise<unknown> = Promise.resolve()

  async function open(): Promise<void> {
    const timer = setTimeout(
      () => socket.destroy(new Error(`timeout exceeded: no connection within ${connectMs} ms`)),
      connectMs,
    )
    socket.once('connect', () => clearTimeout(timer))
    try {
      await client.connect()
    } catch (cause) {
      void client.end()
      throw cause
    } finally {
      clearTimeout(timer)
    }
  }

  const opened = open()
  opened.catch(() => {}) // whatever awaits it handles it
  return {
    opened,
    closed,
    query(...parameters) {
      const result = client.query(...parameters)
      statement = result.catch(() => {})
      return result
    },
    cancel() {
      const request = cancel(client)
      cancelling = request
      return request
    },
    // Until the request to cancel is done, a PgBouncer lends the connection to PostgreSQL to nobody, and would open another.
    end: () => void statement.then(() => cancelling).then(() => client.end()),
    break() {
      isBroken = true
      if (!client.host.startsWith('/')) socket.resetAndDestroy() // a Unix socket cannot be reset
      socket.destroy() // without waiting for what is to be sent
    },
  }
}

/**
 * Asks a server to cancel the statement of a connection, over a connection of its own as the protocol requires (PostgreSQL,
 * Canceling Requests in Progress). The server counts it as no backend.
 *
 * @returns whether the server has closed that connection, as it does after the signal to the backend. Never rejects.
 */
function cancel({ host, port, processID, secretKey }: PgClient): Promise<boolean> {
  const request = Buffer.alloc(16)
  request.writeInt32BE(request.length, 0)
  request.writeInt32BE(cancelCode, 4)
  request.writeInt32BE(processID ?? 0, 8) // 0, which the server names no connection, cancels nothing
  request.writeInt32BE(secretKey ?? 0, 12)
  return new Promise((resolve) => {
    const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
    let isSent = false
    const timer = setTimeout(() => settle(false), cancelMs)

    function settle(isReachable: boolean): void {
      clearTimeout(timer)
      socket.destroy()
      resolve(isReachable)
    }

    socket.once('connect', () => socket.write(request, () => (isSent = true)))
    socket.once('error', () => settle(isSent)) // some servers close it with a reset
    socket.once('close', () => settle(isSent))
    socket.resume()
  })
}

/**
 * Ends a connection and resolves when the server has closed it. A statement on it is cancelled until the server has responded.
 * A server that was unreachable meanwhile, and responds again, may have lost the connection: it is broken then.
 *
 * @param onUnreachable - Called whenever the server accepts no request to cancel.
 */
export async function endSilent(connection: Connection, onUnreachable: () => void): Promise<void> {
  let isClosed = false
  let wasUnreachable = false
  const closed = connection.closed.then(() => {
    isClosed = true
  })
  const pause = () => Promise.race([closed, sleep(pauseMs, undefined, { ref: false })])

  connection.end()
  await pause()
  while (!isClosed) {
    if (!(await connection.cancel())) {
      wasUnreachable = true
      if (!isClosed) onUnreachable()
    } else {
      await pause()
      if (!isClosed && wasUnreachable) connection.break()
    }
    await pause()
  }
}
