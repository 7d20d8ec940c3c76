import { StoreUnavailable } from '../../core/index.ts'
import { runNextTurn } from '../event-loop/index.ts'
import { noteCommit } from './changes.ts'
import type { SqliteDatabase } from './database.ts'
import { failureAtWork, isLocked } from './failure.ts'

/** How long to wait before a lock is tried again, in milliseconds. */
export const retryMs = 10

const pause = () => new Promise((resolve) => setTimeout(resolve, retryMs))

/** A transaction that takes more than one turn of the event loop. */
export type Hold = 'import' | 'export'

/** The part of a store that begins and ends transactions. */
export interface Writer {
  /**
   * Returns a function that runs a write in a transaction with the other writes of this turn, and fulfills with what
   * the write returns once that is committed.
   *
   * @param run - Runs statements; must neither begin nor end a transaction.
   */
  writing<Values extends unknown[], T>(run: (...values: Values) => T): (...values: Values) => Promise<T>
  /**
   * Begins a transaction for which all writes wait, and other holds. Resolves with a function that must be called once
   * it has ended.
   */
  hold(kind: Hold): Promise<() => void>
  /** Whether an import is under way, which readers on this connection would see before it is committed. */
  readonly isImporting: boolean
}

interface Write {
  run(...values: unknown[]): unknown
  readonly values: readonly unknown[]
  /** When it is rejected if it could not begin. */
  readonly deadline: number
  resolve(result: unknown): void
  reject(reason: unknown): void
}

/**
 * Creates a writer. Writes of one turn of the event loop share a transaction, as do those that wait for the same lock.
 *
 * @param waitMs - How long a write, and the beginning of an import, wait at most: one deadline by the clock, whatever
 * they wait for.
 */
export function createWriter(database: SqliteDatabase, waitMs: number): Writer {
  let waiting: Write[] = []
  let isWriting = false
  let held: Hold | undefined

  async function writeWaiting(): Promise<void> {
    isWriting = true
    try {
      while (waiting.length > 0) {
        const obstacle = held ? underWay(held) : tryBegin(database)
        if (obstacle) await wait(obstacle)
        else commitWaiting()
      }
    } catch (error) {
      for (const { reject } of waiting.splice(0)) reject(error)
    } finally {
      isWriting = false
    }
  }

  /** Waits before the next attempt, unless the time of all writes is over. */
  async function wait(obstacle: unknown): Promise<void> {
    const now = performance.now()
    const overdue = waiting.filter(({ deadline }) => deadline <= now)
    waiting = waiting.filter(({ deadline }) => deadline > now)
    for (const { reject } of overdue) reject(obstacle)
    if (waiting.length > 0) await pause()
  }

  /** Runs without a pause, so that no reader on this connection sees what is not committed yet. */
  function commitWaiting(): void {
    const batch = waiting.splice(0)
    try {
      const results: unknown[] = []
      for (const { run, values } of batch) results.push(run(...values))
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
      (run) =>
      (...values) =>
        new Promise((resolve, reject) => {
          // `run` is called with these values, and `resolve` with its result.
          waiting.push({ run, values, deadline: performance.now() + waitMs, resolve, reject } as Write)
          if (waiting.length === 1 && !isWriting) runNextTurn(writeWaiting)
        }),
    async hold(kind) {
      const deadline = performance.now() + waitMs
      for (;;) {
        const obstacle = held ? underWay(held) : tryBegin(database, kind)
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

/** What to throw while an import or an export holds the connection. */
export function underWay(kind: Hold): StoreUnavailable {
  return new StoreUnavailable(`an ${kind} is under way on this connection`)
}

/** Begins a transaction. Returns undefined; while another connection writes, what to throw if that takes too long. */
function tryBegin(database: SqliteDatabase, kind?: Hold): unknown {
  try {
    database.exec(kind === 'export' ? 'BEGIN' : 'BEGIN IMMEDIATE')
    return undefined
  } catch (error) {
    if (isLocked(error)) return failureAtWork(error)
    throw failureAtWork(error)
  }
}

/** Undoes all since the beginning. Returns what to throw for the error that was the reason. */
export function rollBack(database: SqliteDatabase, reason: unknown): unknown {
  try {
    database.exec('ROLLBACK')
  } catch {
    // After some errors, such as a full disk, SQLite has rolled back by itself.
  }
  return failureAtWork(reason)
}
