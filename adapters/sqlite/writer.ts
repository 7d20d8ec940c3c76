import { StoreUnavailable } from '../../core/index.ts'
import { runNextTurn } from '../calls/next-turn.ts'
import { noteCommit } from './changes.ts'
import type { SqliteDatabase } from './database.ts'
import { processTime, retryMs, rollBack, type Time, tryBegin } from './transaction.ts'

/** A transaction that takes more than one turn of the event loop. */
export type Hold = 'import' | 'export'

/** The part of a store that begins and ends transactions. */
export interface Writer {
  /**
   * Runs a write in a transaction with the other writes of this turn. Fulfills with what it returns once that is committed.
   *
   * @param run - Runs statements; must neither begin nor end a transaction.
   */
  write<T>(run: () => T): Promise<T>
  /**
   * Begins a transaction for which all writes wait, after those that were requested earlier. Resolves with a function that
   * must be called once it has ended.
   */
  hold(kind: Hold): Promise<() => void>
  /** Whether an import is under way, which readers on this connection would see before it is committed. */
  readonly isImporting: boolean
}

interface Write {
  run(): unknown
  /** When it is rejected if it could not begin. */
  readonly deadline: number
  resolve(result: unknown): void
  reject(reason: unknown): void
}

/**
 * Creates a writer. Writes of one turn of the event loop share a transaction, as do those that wait for the same lock.
 *
 * @param waitMs - How long a write, and the beginning of an import, wait at most: one deadline by the clock, whatever they
 * wait for.
 */
export function createWriter(database: SqliteDatabase, waitMs: number, time: Time = processTime): Writer {
  let waiting: Write[] = []
  let isWriting = false
  let held: Hold | undefined
  let lastHold: Promise<void> = Promise.resolve()

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
  async function wait(obstacle: StoreUnavailable): Promise<void> {
    const now = time.now()
    const overdue = waiting.filter(({ deadline }) => deadline <= now)
    waiting = waiting.filter(({ deadline }) => deadline > now)
    for (const { reject } of overdue) reject(obstacle)
    if (waiting.length > 0) await time.sleep(retryMs)
  }

  /** Runs without a pause, so that no reader on this connection sees what is not committed yet. */
  function commitWaiting(): void {
    const batch = waiting.splice(0)
    try {
      const results: unknown[] = []
      for (const { run } of batch) results.push(run())
      database.exec('COMMIT')
      noteCommit()
      for (const [index, { resolve }] of batch.entries()) resolve(results[index])
    } catch (error) {
      const reason = rollBack(database, error)
      for (const { reject } of batch) reject(reason)
    }
  }

  /** Sets `held` in the step that begins, so that no write begins in between. */
  async function begin(kind: Hold): Promise<void> {
    if (kind === 'export') database.exec('BEGIN')
    else {
      const deadline = time.now() + waitMs
      for (let obstacle = tryBegin(database); obstacle; obstacle = tryBegin(database)) {
        if (time.now() >= deadline) throw obstacle
        await time.sleep(retryMs)
      }
    }
    held = kind
  }

  return {
    write<T>(run: () => T): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        // The result that is passed to `resolve` is that of `run`.
        const write = { run, deadline: time.now() + waitMs, resolve: resolve as Write['resolve'], reject }
        waiting.push(write)
        if (waiting.length === 1 && !isWriting) runNextTurn(writeWaiting)
      })
    },
    async hold(kind) {
      const before = lastHold
      let end = (): void => {}
      lastHold = new Promise((resolve) => {
        end = resolve
      })
      await before
      try {
        await begin(kind)
      } catch (error) {
        end()
        throw error
      }
      return () => {
        held = undefined
        end()
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
