import { StoreUnavailableError } from '../../core/index.ts'
import { createCallLimit, sleep } from '../backend/index.ts'
import type { PostgresResult, Send, Statement } from './client.ts'
import type { PgClient, PgPool, PostgresDriver } from './driver.ts'
import { readErrorCode } from './failure.ts'

/** A connection pool that can be replaced by a new one while statements are in flight. */
export interface ReplaceablePool {
  /** Runs a statement that changes nothing. */
  readonly read: Send
  /** Runs a statement that changes rows. Such statements use at most 30 % of the connections. */
  readonly write: Send
  /** Opens new connections for further statements, and closes the old ones after their current statement. */
  replace(): void
  /** Counts the connections, and the statements that wait for a connection. */
  metrics(): Readonly<Record<'usedConnections' | 'idleConnections' | 'waitingStatements', number>>
  /** Closes all connections. Statements in flight have 2 s to finish. Never rejects. */
  close(): Promise<void>
}

/** Maximum wait for a connection, in milliseconds. */
const acquireTimeoutMs = 1_500
/**
 * Time after which a connection without a result is broken, in milliseconds. PostgreSQL would have canceled the
 * statement earlier.
 */
const brokenAfterMs = 2_600
const searchIntervalMs = 500
const closeTimeoutMs = 2_000

/** SQLSTATE code for a change in a read-only transaction. */
const readOnlyCode = '25006'

interface TrackedPool {
  readonly pool: PgPool
  /** When each connection in use began its statement. */
  readonly acquiredAt: Map<PgClient, number>
  /** Number of statements in flight. */
  pending: number
}

/**
 * Creates a pool that can replace all of its pg connections.
 *
 * A connection is closed when a read on it has no result after 2.6 s. Writes have no such limit, because a commit that
 * waits for a standby cannot be canceled. Such a write occupies its connection until it ends or the pool is replaced.
 *
 * The pool replaces all connections when a write fails because the server is read-only, since the URL may point to
 * another server by now. It replaces them again after the next successful write, so that no read goes to the old
 * server.
 *
 * @param config - Configuration of the connections.
 * @param max - Maximum number of connections.
 * @param onConnectionLost - Called when an idle connection is lost.
 */
export function createPool(
  { Pool }: PostgresDriver,
  config: object,
  max: number,
  onConnectionLost: (cause: Error) => void,
): ReplaceablePool {
  const writes = createCallLimit(Math.max(1, Math.floor(max * 0.3)))
  const pools = new Set<TrackedPool>()
  let current = open()
  /** Whether the most recent write failed because PostgreSQL is read-only. */
  let isReadOnly = false

  function open(): TrackedPool {
    const pool = new Pool({
      ...config,
      max,
      connectionTimeoutMillis: acquireTimeoutMs,
      idleTimeoutMillis: 30_000,
      maxLifetimeSeconds: 9, // connections to an old primary are gone 10 s after a promotion
    })
    const opened: TrackedPool = { pool, acquiredAt: new Map(), pending: 0 }
    pool.on('error', onConnectionLost)
    pool.on('acquire', (client) => void opened.acquiredAt.set(client, performance.now()))
    pool.on('release', (_error, client) => void opened.acquiredAt.delete(client))
    pools.add(opened)
    return opened
  }

  async function send(statement: Statement): Promise<PostgresResult> {
    const used = current
    used.pending++
    try {
      return await used.pool.query(statement)
    } finally {
      used.pending--
      if (used !== current) closeReplaced(used)
    }
  }

  /**
   * Closes a replaced pool when it has no pending statements. Before that, a statement that waits for a connection
   * would never get one.
   */
  function closeReplaced(replaced: TrackedPool): void {
    if (replaced.pending > 0 || !pools.delete(replaced)) return
    void replaced.pool.end()
  }

  /** Until a replaced pool is closed, closes connections whose statements take too long. */
  async function closeBroken(replaced: TrackedPool): Promise<void> {
    while (pools.has(replaced)) {
      const now = performance.now()
      for (const [client, acquiredAt] of replaced.acquiredAt)
        if (now - acquiredAt >= brokenAfterMs) void client.end()
      await sleep(searchIntervalMs)
    }
  }

  function replace(): void {
    const replaced = current
    current = open()
    closeReplaced(replaced)
    void closeBroken(replaced)
  }

  return {
    read: (statement) => send({ ...statement, query_timeout: brokenAfterMs }),
    write(statement) {
      const queuedAt = performance.now()
      return writes.run(async () => {
        if (performance.now() - queuedAt >= acquireTimeoutMs)
          throw new StoreUnavailableError(
            `the write waited longer than ${acquireTimeoutMs} ms: previous writes take too long`,
          )
        try {
          const result = await send(statement)
          // Reads may still go to another server than this write.
          if (isReadOnly) replace()
          isReadOnly = false
          return result
        } catch (cause) {
          if (readErrorCode(cause) === readOnlyCode) {
            isReadOnly = true
            replace()
          }
          throw cause
        }
      })
    },
    replace,
    metrics() {
      const sum = (count: (pool: PgPool) => number) =>
        [...pools].reduce((total, { pool }) => total + count(pool), 0)
      const idleConnections = sum((pool) => pool.idleCount)
      return {
        usedConnections: sum((pool) => pool.totalCount) - idleConnections,
        idleConnections,
        waitingStatements: sum((pool) => pool.waitingCount) + writes.queued,
      }
    },
    async close() {
      const ended = Promise.all([...pools].map(({ pool }) => pool.end())).catch(() => {}) // fails only for connections that are lost anyway
      pools.clear()
      await Promise.race([ended, sleep(closeTimeoutMs)])
    },
  }
}
