import type { PostgresPool } from '../../postgres/client.ts'
import type { PostgresResult } from '../../postgres.ts'
import type { Connection } from './connection.ts'

/** A statement of a pool, which rejects after a time whether it has a connection or not. */
export interface Statement {
  readonly result: Promise<PostgresResult>
  reject(cause: unknown): void
  /** Runs it. Rejects with the error of the server, which may come after that of `result`. */
  runOn(connection: Connection, events: StatementEvents): Promise<void>
}

interface StatementEvents {
  /** Called when the connection is free again, before `result` fulfills. */
  onDone(): void
  /** Called when the statement is to be given up. */
  onLate(): void
}

/** How long a statement runs at least before it is given up, in milliseconds. After a long wait, no time may be left. */
const minRunMs = 1_000

/**
 * Creates a statement.
 *
 * @param timeoutMs - After how long it rejects.
 * @param onTimeout - Called then.
 */
export function createStatement(
  statement: Parameters<PostgresPool['query']>,
  timeoutMs: number,
  onTimeout: () => void,
): Statement {
  let resolve: (result: PostgresResult) => void = () => {}
  let reject: (cause: unknown) => void = () => {}
  const result = new Promise<PostgresResult>((...settle) => {
    ;[resolve, reject] = settle
  })
  let onLate = () => {}
  let timer = setTimeout(() => {
    reject(new Error(`timeout exceeded: no result of PostgreSQL within ${timeoutMs} ms`))
    onTimeout()
    onLate()
  }, timeoutMs)

  return {
    result,
    reject(cause) {
      clearTimeout(timer)
      reject(cause)
    },
    async runOn(connection, events) {
      const began = performance.now()
      onLate = () => {
        timer = setTimeout(events.onLate, Math.max(0, began + minRunMs - performance.now()))
      }
      try {
        const received = await connection.query(...statement)
        events.onDone()
        resolve(received)
      } catch (cause) {
        reject(cause)
        throw cause
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
