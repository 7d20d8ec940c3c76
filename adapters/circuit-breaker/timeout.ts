import { runNextTurn } from '../event-loop/index.ts'

/** A clock and a timer. */
export interface Time {
  /** Returns milliseconds since any fixed time. */
  now(): number
  /** Calls back after `ms`, and after this process has read its sockets. */
  wait(ms: number, callback: () => void): void
}

/** The timeout of one operation. */
export interface Timeout {
  /** True if the operation has timed out. */
  readonly isOver: boolean
}

/** Rejects if an operation has not settled in time; the operation continues. */
export type WithTimeout = <Result>(
  run: (timeout: Timeout) => Promise<Result>,
  toError: () => Error,
) => Promise<Result>

interface Operation {
  isOver: boolean
  readonly lastStep: number
  end(): void
}

/** Number of steps of a timeout. */
const steps = 10

/**
 * Creates a function that runs operations with a timeout of `ms` milliseconds.
 *
 * The time passes in 10 steps. A step ends after the event loop has waited for it and has read its sockets, so
 * a pause of this process counts as one step, however long it was. All operations share one timer, which does not keep
 * the process alive.
 */
export function createTimeout(ms: number, time: Time): WithTimeout {
  /** The operations in the order of their start, so the search for timeouts ends at the first one with time left. */
  const waiting = new Set<Operation>()
  let step = 0
  let isTicking = false

  function startStep(): void {
    isTicking = waiting.size > 0
    if (isTicking) time.wait(ms / steps, endStep)
  }

  function endStep(): void {
    step++
    for (const operation of waiting) {
      if (operation.lastStep >= step) break
      waiting.delete(operation)
      operation.isOver = true
      operation.end()
    }
    startStep()
  }

  return (run, toError) =>
    new Promise((resolve, reject) => {
      const end = () => reject(toError())
      const operation = { isOver: false, lastStep: step + steps, end } // the current step does not count
      waiting.add(operation)
      if (!isTicking) startStep()
      run(operation)
        .finally(() => waiting.delete(operation))
        .then(resolve, reject)
    })
}

// Read when this module is loaded: the fake timers of a test runner must not stop a store.
const { setTimeout } = globalThis

/** The time of this process. The event loop reads its sockets between timers and immediates. */
export const processTime: Time = {
  now: () => performance.now(),
  wait(ms, callback) {
    const timer: { unref?(): void } | number = setTimeout(() => runNextTurn(callback), ms)
    if (typeof timer === 'object') timer.unref?.()
  },
}
