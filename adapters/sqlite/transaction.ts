import { setTimeout } from 'node:timers/promises'
import type { SqliteDatabase } from './database.ts'
import { failureAtWork, isLocked } from './failure.ts'

const retryMs = 10

/** Begins to write, and waits so long, without stopping the process, while another program does. */
export async function begin(database: SqliteDatabase, lockTimeoutMs: number): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += retryMs) {
    try {
      database.exec('BEGIN IMMEDIATE')
      return
    } catch (error) {
      if (!isLocked(error) || waitedMs >= lockTimeoutMs) throw failureAtWork(error)
    }
    await setTimeout(retryMs)
  }
}

/** Undoes all since `begin`. Answers what to throw for the error that was the reason. */
export function rollBack(database: SqliteDatabase, reason: unknown): unknown {
  try {
    database.exec('ROLLBACK')
  } catch {
    // After some errors, such as a full disk, SQLite has rolled back by itself.
  }
  return failureAtWork(reason)
}
