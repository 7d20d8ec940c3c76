import { StoreUnavailable } from '../../core/index.ts'
import type { SqliteDatabase } from './database.ts'
import { failureAtWork, isLocked } from './failure.ts'

/** The clock and the pauses of a store, in milliseconds. Tests replace them. */
export interface Time {
  now(): number
  sleep(ms: number): Promise<void>
}

/** The time of this process. Its clock never steps back. */
export const processTime: Time = {
  now: performance.now.bind(performance),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

/** How long to wait before a lock is tried again, in milliseconds. */
export const retryMs = 10

/** Begins to write. Returns undefined, or, while another connection writes, what to throw once that takes too long. */
export function tryBegin(database: SqliteDatabase): StoreUnavailable | undefined {
  try {
    database.exec('BEGIN IMMEDIATE')
    return undefined
  } catch (error) {
    const failure = failureAtWork(error)
    if (isLocked(error) && failure instanceof StoreUnavailable) return failure
    throw failure
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
