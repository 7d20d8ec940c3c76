import { StoreUnavailable } from '../../core/index.ts'
import { runNextTurn } from '../event-loop/index.ts'
import { noteCommit } from './changes.ts'
import type { SqliteDatabase } from './database.ts'
import { isLocked, toWorkFailure } from './failure.ts'

/** Time between two attempts to get a lock, in milliseconds. */
export const retryMs = 10

const pause = () => new Promise((resolve) => setTimeout(resolve, retryMs))

/** A transaction that takes more than one turn of the event loop. */
export type Hold = 'import' | 'export'

/** Options of `Writer.writing`. */
export interface WriteOptions {
  /**
   * Maximum time that a write waits for a lock, an import or an export, in milliseconds by the clock. It is one
   * deadline, whatever the write waits for.
   */
  readonly waitMs: number
  /** True if the write has a transaction of its own, which rejects no other one when it fails; false by default. */
  readonly isAlone?: boolean
}

/** Begins and ends the transactions of a connection. */
export interface Writer {
  /**
   * Returns a function that runs a write in a transaction with the other writes of this turn, and fulfills with its
   * result after the commit.
   *
   * @param run - Runs statements; must neither begin nor end a transaction.
   */
  writing<Values extends unknown[], T>(
    run: (...values: Values) => T,
    options: WriteOptions,
  ): (...values: Values) => Promise<T>
  /**
   * Begins a transaction; writes and other holds wait until it has ended. Resolves with a function that must be called
   * then. Rejects if the transaction cannot begin within `waitMs` milliseconds.
   */
  hold(kind: Hold, waitMs: number): Promise<() => void>
  /** True during an import, which readers on this connection would see before it is committed. */
  readonly isImporting: boolean
}

interface Write {
  run(...values: unknown[]): unknown
  readonly values: readonly unknown[]
  readonly isAlone: boolean
  /** The write is rejected at this time if it could not begin. */
  readonly deadline: number
  resolve(result: unknown): void
  reject(reason: unknown): void
}

const writers = new WeakMap<SqliteDatabase, Writer>()

/** Returns the writer of a connection, which its stores share. */
export function findWriter(database: SqliteDatabase): Writer {
  const writer = writers.get(database) ?? createWriter(database)
  writers.set(database, writer)
  return writer
}

/** Creates a writer. Writes of one turn of the event loop, or that wait for the same lock, share a transaction. */
function createWriter(database: SqliteDatabase): Writer {
  let waiting: Write[] = []
  let isWriting = false
  let held: Hold | undefined

  async function writeWaiting(): Promise<void> {
    isWriting = true
    try {
      while (waiting.length > 0) {
        const obstacle = held ? createHoldFailure(held) : tryBegin(database)
        if (obstacle) await wait(obstacle)
        else commit(takeBatch())
      }
    } catch (error) {
      for (const { reject } of waiting.splice(0)) reject(error)
    } finally {
      isWriting = false
    }
  }

  /** Waits before the next attempt, unless every write is overdue. */
  async function wait(obstacle: unknown): Promise<void> {
    const now = performance.now()
    const overdue = waiting.filter(({ deadline }) => deadline <= now)
    waiting = waiting.filter(({ deadline }) => deadline > now)
    for (const { reject } of overdue) reject(obstacle)
    if (waiting.length > 0) await pause()
  }

  /** Removes the writes of the next transaction: an exclusive one, or all before the next exclusive one. */
  function takeBatch(): Write[] {
    const next = waiting.findIndex(({ isAlone }) => isAlone)
    return waiting.splice(0, next < 0 ? waiting.length : Math.max(next, 1))
  }

  /** Runs writes without a pause, so that no reader on this connection sees anything before the commit. */
  function commit(batch: readonly Write[]): void {
    try {
      const results = batch.map(({ run, values }) => run(...values))
      database.exec('COMMIT')
      noteCommit()
      for (const [index, { resolve }] of batch.entries()) resolve(results[index])
    } catch (error) {
      const reason = rollBack(database, error)
      for (const { reject } of batch) reject(reason)
    }
  }

  return {
    writing:
      (run, { waitMs, isAlone = false }) =>
      (...values) =>
        new Promise((resolve, reject) => {
          const deadline = performance.now() + waitMs
          // `run` is called with these values, and `resolve` with its result.
          waiting.push({ run, values, isAlone, deadline, resolve, reject } as Write)
          if (waiting.length === 1 && !isWriting) runNextTurn(writeWaiting)
        }),
    async hold(kind, waitMs) {
      const deadline = performance.now() + waitMs
      for (;;) {
        const obstacle = held ? createHoldFailure(held) : tryBegin(database, kind)
        if (!obstacle) break
        if (performance.now() >= deadline) throw obstacle
        await pause()
      }
      held = kind // in the step that began, so that no write begins in between
      return () => {
        held = undefined
      }
    },
    get isImporting() {
      return held === 'import'
    },
  }
}

/** Creates the error to throw while an import or an export holds the connection. */
export function createHoldFailure(kind: Hold): StoreUnavailable {
  return new StoreUnavailable(`an ${kind} is under way on this connection`)
}

/** Begins a transaction. Returns undefined, or the error to throw if another connection writes for too long. */
function tryBegin(database: SqliteDatabase, kind?: Hold): unknown {
  try {
    database.exec(kind === 'export' ? 'BEGIN' : 'BEGIN IMMEDIATE')
    return undefined
  } catch (error) {
    if (isLocked(error)) return toWorkFailure(error)
    throw toWorkFailure(error)
  }
}

/** Rolls the transaction back. Returns what to throw for the error that was the reason. */
export function rollBack(database: SqliteDatabase, reason: unknown): unknown {
  try {
    database.exec('ROLLBACK')
  } catch {
    // After some errors, such as a full disk, SQLite has rolled back by itself.
  }
  return toWorkFailure(reason)
}
