/** In how many turns of the event loop the time of a call passes. */
const turnsPerCall = 10

/** Calls back after `ms`, and after what has arrived at this process by then has been read. */
export type NextTurn = (ms: number, callback: () => void) => void

/** Rejects when a call takes too long; otherwise fulfills or rejects as the call does. */
export type Deadline = <T>(call: Promise<T>) => Promise<T>

interface PendingCall {
  readonly lastTurn: number
  giveUp(): void
}

/**
 * Creates a deadline for calls: `timeoutMs` in which this process runs.
 *
 * The time passes in ten steps. A step ends only when the event loop has waited for it and has then read its sockets. A
 * process that was busy or stopped therefore counts one step for the whole pause, and reads the responses that have
 * arrived before it gives up. No call lasts longer than eleven turns of the loop. All calls share one timer, which ends
 * with the last of them.
 */
export function createDeadline(timeoutMs: number, nextTurn: NextTurn = waitAndPoll): Deadline {
  const stepMs = timeoutMs / turnsPerCall
  /** Oldest first, so the search ends with the first call whose time is not over. */
  const pending = new Set<PendingCall>()
  let turn = 0
  let isTicking = false

  function tick(): void {
    turn++
    for (const call of pending) {
      if (call.lastTurn >= turn) break
      pending.delete(call)
      call.giveUp()
    }
    isTicking = pending.size > 0
    if (isTicking) nextTurn(stepMs, tick)
  }

  return (call) =>
    new Promise((resolve, reject) => {
      const waiting: PendingCall = {
        lastTurn: turn + turnsPerCall, // the turn that is under way does not count
        giveUp: () => reject(new Error(`Redis did not respond within ${timeoutMs} ms`)),
      }
      pending.add(waiting)
      call.then(resolve, reject).finally(() => pending.delete(waiting))
      if (isTicking) return
      isTicking = true
      nextTurn(stepMs, tick)
    })
}

/** Waits, and lets the event loop poll its sockets, which it does between its timers and its immediates. */
function waitAndPoll(ms: number, callback: () => void): void {
  setTimeout(() => afterPoll(callback), ms)
}

/** Runs a callback once the sockets have been polled. Not every platform has `setImmediate`. */
function afterPoll(callback: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(callback)
  else setTimeout(callback, 0)
}
