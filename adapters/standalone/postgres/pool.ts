import { connect, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type PostgresPool, rowsOf } from '../../postgres/client.ts'
import type { ClientOptions, LentClient, Pg, PgClient } from './driver.ts'

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

/** A connection, from the attempt to open it until it is closed. */
interface Connection {
  readonly socket: Socket
  /** When the attempt to open it began, by `performance.now()`. */
  readonly begunAt: number
  /** Since when it is in use, likewise; undefined while it is idle. */
  usedSince: number | undefined
  /** The statement that it runs; empty while it is being opened. */
  statement: string
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
  const connections = new Map<PgClient, Connection>()
  const longRunning = `SELECT left(query, ${shown}) AS statement FROM pg_stat_activity
    WHERE state = 'active' AND query_start < now() - interval '${timeoutMs / 2} milliseconds'`

  /** A client whose socket is known here. */
  class Client extends pg.Client {
    constructor(options: ClientOptions) {
      const socket = new Socket()
      super({ ...options, stream: socket })
      const begunAt = performance.now()
      connections.set(this, { socket, begunAt, usedSince: begunAt, statement: '' })
      socket.once('close', () => connections.delete(this))
      this.on('error', () => {}) // what awaits the statement handles it
    }
  }

  const options = { connectionString: url, keepAlive: true }
  const pool = new pg.Pool({ ...options, max: max - 1, idleTimeoutMillis: 30_000, Client })
  pool.on('error', onLost)
  const timer = setInterval(checkOverdue, checkMs).unref()
  const { host, port } = new pg.Client(options)
  let isChecking = false
  /** Older connections are not used any more. */
  let freshSince = 0
  let closing: Promise<void> | undefined

  function overdue(): Connection[] {
    const latest = performance.now() - timeoutMs
    return [...connections.values()].filter(({ usedSince }) => usedSince !== undefined && usedSince < latest)
  }

  /**
   * Closes what is overdue and has no statement that runs, if a new connection works. The idle connections lead where
   * the closed ones did.
   */
  async function checkOverdue(): Promise<void> {
    if (isChecking || overdue().length === 0) return
    isChecking = true
    if (await responds(host, port)) {
      const client = new Client({ ...options, connectionTimeoutMillis: respondMs })
      try {
        const before = overdue()
        await client.connect()
        const result = await client.query({ text: longRunning, query_timeout: respondMs })
        const running = new Set(rowsOf<{ statement: string }>(result).map(({ statement }) => statement))
        const broken = before.filter(({ statement }) => !running.has(statement.slice(0, shown)))
        const idle = [...connections.values()].filter(({ usedSince }) => usedSince === undefined)
        for (const { socket } of broken.length > 0 ? [...broken, ...idle] : []) socket.destroy()
      } catch {
        // the next check tries again
      }
      connections.get(client)?.socket.destroy()
    }
    isChecking = false
  }

  /** Takes a connection, which is in use from then on. */
  async function take(): Promise<{ readonly client: LentClient; readonly connection: Connection }> {
    for (;;) {
      const client = await pool.connect()
      const connection = connections.get(client)
      if (connection) connection.usedSince = performance.now()
      if (connection && connection.begunAt >= freshSince) return { client, connection }
      await close(client)
    }
  }

  async function closeAll(): Promise<void> {
    clearInterval(timer)
    await Promise.race([pool.end(), sleep(closeMs, undefined, { ref: false })])
    for (const { socket } of connections.values()) socket.destroy()
  }

  /** Gives a connection back. */
  function release(client: LentClient, connection: Connection): void {
    connection.usedSince = undefined
    connection.statement = ''
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
      const { client, connection } = await take()
      if (performance.now() - askedAt > timeoutMs) {
        release(client, connection)
        throw new Error(`timeout exceeded: no connection to PostgreSQL within ${timeoutMs} ms`)
      }
      connection.statement = typeof statement === 'string' ? statement : statement.text
      try {
        const result = await client.query(statement, values)
        release(client, connection)
        return result
      } catch (cause) {
        void close(client) // what has failed may be the connection
        // Behind the address, another server may accept changes.
        if (isReadOnly(cause)) freshSince = performance.now()
        throw cause
      }
    },
    get waitingCount() {
      return pool.waitingCount
    },
    connections() {
      const used = [...connections.values()].filter(({ usedSince }) => usedSince !== undefined).length
      return { used, idle: connections.size - used, waiting: pool.waitingCount }
    },
    close() {
      closing ??= closeAll()
      return closing
    },
  }
}

/**
 * Resolves with whether a server responds to a new connection. It is asked for TLS alone, so that there is no backend
 * if it does not respond now but accepts the connection once it goes on.
 */
function responds(host: string, port: number): Promise<boolean> {
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
  const timer = setTimeout(() => socket.destroy(), respondMs)
  return new Promise((resolve) => {
    socket.once('connect', () => socket.write(sslRequest))
    socket.once('data', () => {
      resolve(true)
      socket.destroy()
    })
    socket.on('error', () => {}) // the event close follows
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(false)
    })
  })
}

/** Whether an error is that of a change on a server which accepts none (PostgreSQL, appendix A). */
function isReadOnly(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25006'
}
