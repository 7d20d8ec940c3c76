import { once } from 'node:events'
import { connect, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig, PoolClient } from 'pg'
import type { PostgresPool } from '../../postgres/client.ts'
import type { Pg } from './driver.ts'

/** How many connections of a pool are in use, and how many statements wait for one. */
export interface PoolConnections {
  /** Those that run a statement, whoever waits for it, or are being opened or closed. */
  readonly used: number
  readonly idle: number
  /** Statements without a connection. */
  readonly waiting: number
}

/** A client that runs each statement on any of its connections. */
export interface Pool extends PostgresPool {
  connections(): PoolConnections
  /** Ends the connections; those with a statement have two seconds. Never rejects. */
  close(): Promise<void>
}

export interface PoolOptions {
  readonly url: string
  /**
   * The most connections, from 2: one of them finds out whether the server responds again. Each counts until it is
   * closed.
   */
  readonly max: number
  /** After how long nobody waits for a statement, in milliseconds. */
  readonly timeoutMs: number
  /** Called when an idle connection is lost. */
  readonly onLost: (cause: Error) => void
}

/**
 * How often connections are checked, and how long a new one may take to show that the server responds, in milliseconds.
 */
const [checkMs, respondMs] = [750, 1_000]
/** How long `close` waits for statements, in milliseconds. */
const closeMs = 2_000
/** How many characters of a statement are compared. PostgreSQL shows 1,023 bytes by default. */
const shown = 900

/** SSLRequest (PostgreSQL, Message Formats). */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/**
 * Creates a pool of the driver that never has more than `max` backends, whatever the server does: a connection whose
 * statement takes too long stays in use until the statement has ended. Whether it can still end is known once a new
 * connection works: one whose statement the server does not run, since the connection is broken or leads to another
 * server, is closed then.
 */
export function createPool(pg: Pg, { url, max, timeoutMs, onLost }: PoolOptions): Pool {
  /** The connections, from the attempt to open each one until it is closed. */
  const connections = new Set<Client>()
  const longRunning = `SELECT left(query, ${shown}) AS statement FROM pg_stat_activity
    WHERE state = 'active' AND query_start < now() - interval '${timeoutMs / 2} milliseconds'`

  class Client extends pg.Client {
    readonly socket: Socket
    /** Since when it is in use, by `performance.now()`; undefined while it is idle. */
    usedSince: number | undefined = performance.now()
    /** The statement that it runs; empty while it is being opened. */
    statement = ''

    constructor(options?: ClientConfig) {
      const socket = new Socket()
      super({ ...options, stream: () => socket })
      this.socket = socket
      connections.add(this)
      socket.once('close', () => connections.delete(this))
      this.on('error', () => {}) // what awaits the statement handles it
    }
  }
  type LentClient = Client & PoolClient

  const options = { connectionString: url, keepAlive: true }
  const pool = new pg.Pool({ ...options, max: max - 1, idleTimeoutMillis: 30_000, Client })
  pool.on('error', onLost)
  const timer = setInterval(checkOverdue, checkMs).unref()
  const { host, port } = new pg.Client(options)
  let isChecking = false

  function overdue(): Client[] {
    const latest = performance.now() - timeoutMs
    return [...connections].filter(({ usedSince }) => usedSince !== undefined && usedSince < latest)
  }

  /**
   * Closes what is overdue and has no statement that runs, if a new connection works. The idle connections lead where
   * the closed ones did.
   */
  async function checkOverdue(): Promise<void> {
    if (isChecking || overdue().length === 0) return
    isChecking = true
    if (await responds(host, port)) {
      const limits = { connectionTimeoutMillis: respondMs, query_timeout: respondMs }
      const client = new Client({ ...options, ...limits })
      try {
        const before = overdue()
        await client.connect()
        const { rows } = await client.query<{ statement: string }>(longRunning)
        const running = new Set(rows.map(({ statement }) => statement))
        const broken = before.filter(({ statement }) => !running.has(statement.slice(0, shown)))
        const idle = [...connections].filter(({ usedSince }) => usedSince === undefined)
        for (const { socket } of broken.length > 0 ? [...broken, ...idle] : []) socket.destroy()
      } catch {
        // the next check tries again
      }
      client.socket.destroy()
    }
    isChecking = false
  }

  /** Takes a connection, which is in use from then on. */
  async function take(): Promise<LentClient> {
    const client = (await pool.connect()) as LentClient // the class that the pool was given
    client.usedSince = performance.now()
    return client
  }

  /** Gives a connection back. */
  function release(client: LentClient): void {
    client.usedSince = undefined
    client.statement = ''
    client.release()
  }

  /** Closes a connection, which is in use until the server has closed it. */
  async function close(client: LentClient): Promise<void> {
    await client.end()
    client.release(true)
  }

  return {
    async query(statement, values) {
      const askedAt = performance.now()
      const client = await take()
      if (performance.now() - askedAt > timeoutMs) {
        release(client)
        throw new Error(`timeout exceeded: no connection to PostgreSQL within ${timeoutMs} ms`)
      }
      client.statement = typeof statement === 'string' ? statement : statement.text
      try {
        const result = await client.query(statement, values)
        release(client)
        return result
      } catch (cause) {
        void close(client) // what has failed may be the connection
        // The server is read-only (PostgreSQL, appendix A): behind the address, another one may accept changes.
        if (cause instanceof Error && 'code' in cause && cause.code === '25006')
          for (let idle = pool.idleCount; idle > 0; idle--) take().then(close, () => {})
        throw cause
      }
    },
    waitingCount: 0, // there is this member in a pool of pg
    connections() {
      const used = [...connections].filter(({ usedSince }) => usedSince !== undefined).length
      return { used, idle: connections.size - used, waiting: pool.waitingCount }
    },
    async close() {
      clearInterval(timer)
      const ended = pool.end().catch(() => {}) // it was closed already
      await Promise.race([ended, sleep(closeMs, undefined, { ref: false })])
      for (const { socket } of connections) socket.destroy()
    },
  }
}

/**
 * Resolves with whether a server responds to a new connection. It is asked for TLS alone, so that there is no backend
 * if it does not respond now but accepts the connection once it goes on.
 */
async function responds(host: string, port: number): Promise<boolean> {
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
  socket.on('error', () => {}) // what awaits an event below rejects
  const inTime = { signal: AbortSignal.timeout(respondMs) }
  try {
    await once(socket, 'connect', inTime)
    socket.write(sslRequest)
    await once(socket, 'data', inTime)
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
