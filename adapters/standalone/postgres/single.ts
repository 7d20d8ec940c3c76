import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresClient } from '../../postgres.ts'
import { explain, StartError } from '../errors.ts'
import type { Host } from './address.ts'
import { type Connection, openConnection } from './connection.ts'
import type { Pg } from './driver.ts'
import { endSilent } from './silent.ts'
import { firstWritable } from './writable.ts'

/** A client that is one connection. */
export interface SingleClient extends PostgresClient {
  /** Asks the server to cancel the statement that runs. */
  cancel(): Promise<boolean>
  /** Ends it. Resolves when the server has closed it, or after two seconds; never rejects. */
  close(): Promise<void>
}

/** How long a server may take until statements can be sent, and to close a connection, in milliseconds. */
const waitMs = { open: 3_000, close: 2_000 }

/**
 * Opens one connection to the host that accepts changes, or to the only one. Rejects with `StartError`.
 *
 * @param source - The flag or variable that has the address.
 * @param timeoutMs - How long a statement may take, in milliseconds, before it rejects and is cancelled; unbounded without it.
 */
export async function openSingle(
  pg: Pg,
  hosts: readonly Host[],
  source: string,
  timeoutMs?: number,
): Promise<SingleClient> {
  const candidates = hosts.map((host) => ({ host, connection: openConnection(pg, host.url) }))
  const [first, second] = candidates
  try {
    const { connection } = first && !second ? await opened(first) : await firstWritable(candidates)
    return {
      cancel: () => connection.cancel(),
      query: (text, values) => within(timeoutMs, connection, connection.query(text, values)),
      async close() {
        const closed = endSilent(connection, () => {})
        await Promise.race([closed, sleep(waitMs.close, undefined, { ref: false })])
        for (const candidate of candidates) candidate.connection.break()
      },
    }
  } catch (cause) {
    for (const { connection } of candidates) connection.break()
    throw new StartError(`${source}: ${explain(cause, false)}`, { cause })
  }
}

async function opened<T extends { connection: Connection }>(candidate: T): Promise<T> {
  return within(
    waitMs.open,
    candidate.connection,
    candidate.connection.opened.then(() => candidate),
  )
}

/** Rejects if a result does not come within a time, and has its statement cancelled then. */
async function within<T>(
  timeoutMs: number | undefined,
  connection: Connection,
  result: Promise<T>,
): Promise<T> {
  if (timeoutMs === undefined) return result
  const late = new AbortController()
  const timeout = sleep(timeoutMs, undefined, { signal: late.signal }).then(async () => {
    void connection.cancel()
    throw new Error(`timeout exceeded: no result of PostgreSQL within ${timeoutMs} ms`)
  })
  try {
    return await Promise.race([result, timeout])
  } finally {
    late.abort()
    timeout.catch(() => {}) // the abort
  }
}
