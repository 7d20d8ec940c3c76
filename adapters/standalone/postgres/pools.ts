import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient, PoolConfig } from 'pg'
import type { PostgresPool } from '../../postgres/client.ts'
import { readCode } from '../../postgres/failure.ts'
import type { Pg } from './driver.ts'
import { createClientConfig } from './session.ts'

/** The connections of a server, and the statements without one. */
export interface PoolConnections {
  /** Connections that run a statement or are being opened. */
  readonly used: number
  readonly idle: number
  /** Statements without a connection. */
  readonly waiting: number
}

/** Two pools of the driver, so that reads continue while writes wait. */
export interface Pools {
  readonly reads: PostgresPool
  readonly writes: PostgresPool
  /** Replaces the pools. An old connection closes when its statement ends. */
  replace(): void
  connections(): PoolConnections
  /** Closes the connections, and waits at most 2 s for their statements. Never rejects. */
  close(): Promise<void>
}

export interface PoolsOptions {
  readonly url: string
  /** Maximum number of connections, from 3. */
  readonly max: number
  /** Called when an idle connection is lost. */
  readonly onLost: (cause: Error) => void
  /** Returns milliseconds since any fixed time. */
  readonly now?: () => number
}

/** Maximum time to get a connection, in milliseconds. */
const connectMs = 1_500
/** Maximum time of a statement, after which PostgreSQL cancels it, in milliseconds. */
const statementMs = 2_200
/** Time after which the connection of a read without a result counts as broken, in milliseconds. */
const brokenMs = 2_600
/** Minimum time between two replacements while PostgreSQL is read-only, in milliseconds. */
const replaceMs = 10_000
/** Maximum time that `close` waits for statements, in milliseconds. */
const closeMs = 2_000

/** The error code of a change on a server that is read-only. */
const readOnlyCode = '25006'

/** The two pools between two replacements, with all of their open connections. */
interface Generation {
  readonly reads: Pool
  readonly writes: Pool
  readonly clients: ReadonlySet<PoolClient>
  /** The time it was replaced; infinite before. */
  replacedAt: number
}

/**
 * Creates the pools. PostgreSQL cancels a statement after `statementMs`. If a read has no result after `brokenMs`, its
 * connection is closed. A write has no such limit, since a commit that waits for a standby cannot be canceled: until it
 * ends, it occupies its connection.
 *
 * A change that is rejected because the server is read-only replaces the pools, at most every 10 s, since the address
 * may lead to another server by now. So does the next change that succeeds, so that no read goes to the old server.
 * The reads leave twice the connections of a pool of writes free, for the pending writes of the old pool and the new one.
 */
export function createPools(
  pg: Pg,
  { url, max, onLost, now = () => performance.now() }: PoolsOptions,
): Pools {
  const writers = Math.max(1, Math.floor(max * 0.3))
  const config = {
    ...createClientConfig(url, { statement_timeout: statementMs }),
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: 9, // 10 s after a promotion, no connection leads to the old primary
  }
  let previous: Generation[] = []
  let current = open()
  let lastReplacedAt = -Infinity
  /** True if the last write was rejected because the server is read-only. */
  let isReadOnly = false

  function open(): Generation {
    const clients = new Set<PoolClient>()
    function openPool(limits: PoolConfig): Pool {
      const pool = new pg.Pool({ ...config, ...limits })
      pool.on('error', onLost)
      pool.on('connect', (client) => clients.add(client))
      pool.on('remove', (client) => clients.delete(client))
      return pool
    }
    const reads = openPool({ max: max - 2 * writers, query_timeout: brokenMs })
    return { reads, writes: openPool({ max: writers }), clients, replacedAt: Infinity }
  }

  function replace(): void {
    lastReplacedAt = now()
    // After this time, the open connections of a generation are broken, or their writes wait for a standby.
    const isOver = ({ replacedAt }: Generation) => lastReplacedAt - replacedAt >= brokenMs
    for (const { clients } of previous.filter(isOver)) for (const client of clients) void client.end()
    current.replacedAt = lastReplacedAt
    previous = [...previous.filter((generation) => !isOver(generation)), current]
    for (const pool of [current.reads, current.writes]) void drain(pool)
    current = open()
  }

  return {
    // By the member `waitingCount`, a store recognizes a pool of pg.
    reads: { waitingCount: 0, query: (...statement) => current.reads.query(...statement) },
    writes: {
      waitingCount: 0,
      async query(...statement) {
        try {
          const result = await current.writes.query(...statement)
          // The connection may lead to another server than the reads do.
          if (isReadOnly) replace()
          isReadOnly = false
          return result
        } catch (cause) {
          if (readCode(cause) === readOnlyCode) {
            isReadOnly = true
            if (now() - lastReplacedAt >= replaceMs) replace()
          }
          throw cause
        }
      },
    },
    replace,
    connections() {
      const pools = [...previous, current].flatMap(({ reads, writes }) => [reads, writes])
      const sum = (count: (pool: Pool) => number) => pools.reduce((total, pool) => total + count(pool), 0)
      const idle = sum((pool) => pool.idleCount)
      return { used: sum((pool) => pool.totalCount) - idle, idle, waiting: sum((pool) => pool.waitingCount) }
    },
    async close() {
      const ended = Promise.all([current.reads.end(), current.writes.end()]).catch(() => {}) // already closed
      await Promise.race([ended, sleep(closeMs, undefined, { ref: false })])
    },
  }
}

/** Ends a pool when each of its statements has got a connection or has been rejected. */
async function drain(pool: Pool): Promise<void> {
  while (pool.waitingCount > 0) await sleep(50, undefined, { ref: false })
  await pool.end()
}
