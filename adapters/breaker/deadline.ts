import { runNextTurn } from '../calls/next-turn.ts'

/** Calls back after `ms`, and after what has arrived at this process by then has been read. */
export type NextTurn = (ms: number, callback: () => void) => void

export interface DeadlineOptions {
  /** How long a turn is at least, in milliseconds. */
  readonly stepMs: number
  /** In how many turns the time of a call passes. */
  readonly turns: number
  /** Returns what a call that took too long rejects with. */
  readonly overdue: () => Error
  readonly nextTurn?: NextTurn | undefined
}

/** Limits the time of calls. */
export interface Deadline {
  /** How many turns have passed while calls were pending. */
  readonly turn: number
  /** Rejects when a call takes too long, after it has called `giveUp`; otherwise fulfills or rejects as the call does. */
  limit<T>(call: Promise<T>, giveUp?: () => void): Promise<T>
  /** Sets the turns of later calls. Those that are pending have no more left, but may have fewer. */
  setTurns(turns: number): void
}

interface PendingCall {
  lastTurn: number
  end(): void
}

/**
 * Creates a deadline for calls: `turns` times `stepMs` in which this process runs.
 *
 * The time passes in steps. A step ends only when the event loop has waited for it and has then read its sockets. A
 * process that was busy or stopped therefore counts one step for the whole pause, and reads the responses that have
 * arrived before it gives up. No call lasts longer than one turn of the loop more than `turns`. All calls share one timer,
 * which ends with the last of them.
 */
export function createDeadline(options: DeadlineOptions): Deadline {
  const { stepMs, overdue, nextTurn = waitAndPoll } = options
  let { turns } = options
  /** Oldest first, and none has a later last turn than the next, so the search ends with the first call whose time is not over. */
  const pending = new Set<PendingCall>()
  let turn = 0
  let isTicking = false

  function tick(): void {
    turn++
    for (const call of pending) {
      if (call.lastTurn >= turn) break
      pending.delete(call)
      call.end()
    }
    isTicking = pending.size > 0
    if (isTicking) nextTurn(stepMs, tick)
  }

  return {
    get turn() {
      return turn
    },
    limit: (call, giveUp) =>
      new Promise((resolve, reject) => {
        const waiting: PendingCall = {
          lastTurn: turn + turns, // the turn that is under way does not count
          end() {
            giveUp?.()
            reject(overdue())
          },
        }
        pending.add(waiting)
        call.then(
          (result) => {
            pending.delete(waiting)
            resolve(result)
          },
          (cause) => {
            pending.delete(waiting)
            reject(cause)
          },
        )
        if (isTicking) return
        isTicking = true
        nextTurn(stepMs, tick)
      }),
    setTurns(allowed) {
      turns = allowed
      for (const call of pending) call.lastTurn = Math.min(call.lastTurn, turn + turns)
    },
  }
}

/** Waits, and lets the event loop poll its sockets, which it does between its timers and its immediates. */
function waitAndPoll(ms: number, callback: () => void): void {
  setTimeout(() => runNextTurn(callback), ms)
}
