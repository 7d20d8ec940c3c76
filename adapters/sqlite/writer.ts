import { StoreUnavailableError } from '../../core/index.ts'
import { runInNextTurn } from '../event-loop/index.ts'
import { recordCommit } from './changes.ts'
import type { SqliteDatabase } from './database.ts'
import { isLockedError, toStoreError } from './failure.ts'

/** Time between two attempts to lock the database, in milliseconds. */
export const retryIntervalMs = 10

const waitForRetry = () => new Promise((resolve) => setTimeout(resolve, retryIntervalMs))

/** The long operations that block writes on a connection. */
export type HoldKind = 'import' | 'export'

export interface WriteOptions {
  /** Maximum time that the write waits for a lock, an import or an export, in milliseconds. */
  readonly maxWaitMs: number
  /** Whether the write has its own transaction, so that its failure does not reject other writes. False by default. */
  readonly hasOwnTransaction?: boolean
}

/** Runs transactions on a connection, one at a time. */
export interface Writer {
  /**
   * Wraps a function so that each call runs in a transaction, together with other writes in the same event loop turn.
   * The wrapped function resolves after the commit.
   *
   * @param run - Runs statements, but neither begins nor ends a transaction.
   */
  wrap<Values extends unknown[], T>(
    run: (...values: Values) => T,
    options: WriteOptions,
  ): (...values: Values) => Promise<T>
  /**
   * Begins a transaction for an import or export, during which writes wait.
   *
   * @returns A function to call when the transaction has ended.
   * @throws {StoreUnavailableError} If the database stays locked for `waitMs` milliseconds.
   */
  hold(kind: HoldKind, waitMs: number): Promise<() => void>
  /** Whether an import is in progress. Reads on this connection would see its animals before the commit. */
  readonly isImporting: boolean
}

interface Write {
  run(...values: unknown[]): unknown
  readonly values: readonly unknown[]
  readonly hasOwnTransaction: boolean
  /** When a write that still waits is rejected, compared with `performance.now()`. */
  readonly deadline: number
  resolve(result: unknown): void
  reject(reason: unknown): void
}

const writers = new WeakMap<SqliteDatabase, Writer>()

/** Returns the writer that all stores of a database share. */
export function getWriter(database: SqliteDatabase): Writer {
  const writer = writers.get(database) ?? createWriter(database)
  writers.set(database, writer)
  return writer
}

/**
 * Creates a writer. Writes share a transaction if they start in the same event loop turn, or wait for the same lock.
 */
function createWriter(database: SqliteDatabase): Writer {
  let waiting: Write[] = []
  let isWriting = false
  let held: HoldKind | undefined

  async function writeWaiting(): Promise<void> {
    isWriting = true
    try {
      while (waiting.length > 0) {
        const busyError = held ? createHoldError(held) : tryBegin(database)
        if (busyError) await rejectOverdue(busyError)
        else commitBatch(takeBatch())
      }
    } catch (error) {
      for (const { reject } of waiting.splice(0)) reject(error)
    } finally {
      isWriting = false
    }
  }

  /** Rejects the writes that have waited too long, and pauses before the next attempt. */
  async function rejectOverdue(busyError: unknown): Promise<void> {
    const now = performance.now()
    const overdue = waiting.filter(({ deadline }) => deadline <= now)
    waiting = waiting.filter(({ deadline }) => deadline > now)
    for (const { reject } of overdue) reject(busyError)
    if (waiting.length > 0) await waitForRetry()
  }

  /** Removes writes from the queue that can share a transaction. A write with its own transaction is returned alone. */
  function takeBatch(): Write[] {
    const next = waiting.findIndex(({ hasOwnTransaction }) => hasOwnTransaction)
    return waiting.splice(0, next < 0 ? waiting.length : Math.max(next, 1))
  }

  /**
   * Runs writes and commits them. If a write fails, all are rolled back. Other calls on this connection run before or
   * after the transaction.
   */
  function commitBatch(batch: readonly Write[]): void {
    try {
      const results = batch.map(({ run, values }) => run(...values))
      database.exec('COMMIT')
      recordCommit()
      for (const [index, { resolve }] of batch.entries()) resolve(results[index])
    } catch (error) {
      const reason = rollBack(database, error)
      for (const { reject } of batch) reject(reason)
    }
  }

  return {
    wrap:
      (run, { maxWaitMs, hasOwnTransaction = false }) =>
      (...values) =>
        new Promise((resolve, reject) => {
          const deadline = performance.now() + maxWaitMs
          // `values` and `resolve` have the types that `run` needs.
          waiting.push({ run, values, hasOwnTransaction, deadline, resolve, reject } as Write)
          if (waiting.length === 1 && !isWriting) runInNextTurn(writeWaiting)
        }),
    async hold(kind, waitMs) {
      const deadline = performance.now() + waitMs
      for (;;) {
        const busyError = held ? createHoldError(held) : tryBegin(database, kind)
        if (!busyError) break
        if (performance.now() >= deadline) throw busyError
        await waitForRetry()
      }
      held = kind // the next write waits for this transaction
      return () => {
        held = undefined
      }
    },
    get isImporting() {
      return held === 'import'
    },
  }
}

/** Creates the error for calls that an import or export blocks. */
export function createHoldError(kind: HoldKind): StoreUnavailableError {
  return new StoreUnavailableError(`an ${kind} is in progress on this connection`)
}

/** Begins a transaction. Returns an error if the database is locked, and throws any other error. */
function tryBegin(database: SqliteDatabase, kind?: HoldKind): unknown {
  try {
    database.exec(kind === 'export' ? 'BEGIN' : 'BEGIN IMMEDIATE')
    return undefined
  } catch (error) {
    if (isLockedError(error)) return toStoreError(error)
    throw toStoreError(error)
  }
}

/** Rolls back and returns the error to reject with. */
export function rollBack(database: SqliteDatabase, reason: unknown): unknown {
  try {
    database.exec('ROLLBACK')
  } catch {
    // SQLite rolls back automatically after some errors, such as a full disk.
  }
  return toStoreError(reason)
}
