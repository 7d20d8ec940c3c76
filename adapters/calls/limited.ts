import { StoreUnavailable } from '../../core/index.ts'
import { isUnavailable } from '../../core/internal.ts'
import { runNextTurn } from '../event-loop/index.ts'

/** How calls of one kind are limited. */
export interface CallLimits {
  /** How long a caller waits, in milliseconds in which this process runs; a tenth longer at most. */
  readonly ms: number
  /** The most calls that have not ended, those included for which nobody waits any more. */
  readonly max: number
  /** How many run at once; later ones wait for their turn. Any number by default. */
  readonly atOnce?: number
  /** Returns what a call rejects with that takes too long or is not made. `problem` follows the name of the part. */
  readonly failure?: (problem: string) => Error
  /** Whether an error of a call is a failure of what is called; by default whether it is a `StoreUnavailable`. */
  readonly isFailure?: (error: unknown) => boolean
  /** Called with the failure after which calls are rejected at once: the fifth in a row. */
  readonly onFault?: (error: unknown) => void
  /** Called with the next success. */
  readonly onRecover?: () => void
  /** The clock and the timer; those of this process by default. */
  readonly time?: CallTime
}

/** A clock, and a timer that calls back after `ms`, once what has arrived at this process by then has been read. */
export interface CallTime {
  now(): number
  wait(ms: number, callback: () => void): void
}

/** The limit of calls that fail for one cause. */
export interface CallLimit {
  /** Whether calls are rejected at once, but for one a second. */
  readonly isFull: boolean
  /** Whether the last call that has ended failed. */
  readonly isFailing: boolean
  /** Returns a function that makes a call within the limit. A result that is no promise is returned as it is. */
  limited<Parameters extends unknown[], Result>(
    call: (...parameters: Parameters) => Result,
  ): (...parameters: Parameters) => Result | Promise<Awaited<Result>>
}

/** After how many failures in a row the limit is full. */
const maxFailures = 5
/** How often a call is made while the limit is full, in milliseconds. */
const tryMs = 1_000
/** In how many steps the time of a call passes. */
const steps = 10

/** A call for which somebody waits. */
interface Call {
  readonly lastStep: number
  reject(error: Error): void
}

/**
 * Creates a limit. A call that takes too long rejects, and counts as pending until it ends. The limit is full while
 * `max` calls are pending, and after five failures in a row: then calls are rejected at once, except one a second,
 * whose success ends the row.
 *
 * The time passes in steps. One ends only when the event loop has waited for it and has then read its sockets, so a
 * process that was busy or stopped counts one step for the whole pause. All calls share one timer, which keeps no
 * process alive.
 */
export function createCallLimit(limits: CallLimits): CallLimit {
  const { ms, max, atOnce = Number.POSITIVE_INFINITY, onFault, onRecover, time = processTime } = limits
  const { isFailure = isUnavailable, failure = (problem) => new StoreUnavailable(`the storage ${problem}`) } =
    limits
  /** Oldest first, so the search for those whose time is over ends with the first one that has time left. */
  const awaited = new Set<Call>()
  const queue: (() => void)[] = []
  let step = 0
  let isTicking = false
  /** Those in the queue included. */
  let pending = 0
  let failuresInRow = 0
  let triedAt = Number.NEGATIVE_INFINITY

  function tick(): void {
    step++
    for (const call of awaited) {
      if (call.lastStep >= step) break
      awaited.delete(call)
      const error = failure(`did not respond within ${ms} ms`)
      failed(error)
      call.reject(error)
    }
    isTicking = awaited.size > 0
    if (isTicking) time.wait(ms / steps, tick)
  }

  /** Lets one call a second through. Throws for the others. */
  function requireTrial(): void {
    const now = time.now()
    if (now - triedAt < tryMs) {
      const reason = pending >= max ? `has ${max} calls that have not ended` : 'fails'
      throw failure(`${reason}, and is tried once a second`)
    }
    triedAt = now
  }

  function endRow(): void {
    if (failuresInRow >= maxFailures) onRecover?.()
    failuresInRow = 0
  }

  function failed(error: unknown): void {
    if (isFailure(error) && ++failuresInRow === maxFailures) onFault?.(error)
  }

  /** Returns whether somebody still waited for the call. */
  function end(call: Call): boolean {
    pending--
    queue.shift()?.()
    return awaited.delete(call)
  }

  /** A call that is given up while it waits for its turn is never made: nobody would learn what it did. */
  async function inTurn<Result>(call: Call, make: () => Result): Promise<Awaited<Result>> {
    await new Promise<void>((resolve) => queue.push(resolve))
    if (!awaited.has(call)) throw failure('was not called')
    return await make()
  }

  /** Waits for a call until its time is over. */
  function follow<Result>(start: Promise<Result> | ((call: Call) => Promise<Result>)): Promise<Result> {
    return new Promise((resolve, reject) => {
      const call = { lastStep: step + steps, reject } // the step that is under way does not count
      pending++
      awaited.add(call)
      if (!isTicking) time.wait(ms / steps, tick)
      isTicking = true
      const result = typeof start === 'function' ? start(call) : start
      result.then(
        (value) => {
          end(call)
          if (failuresInRow > 0) endRow()
          resolve(value)
        },
        (error) => {
          if (end(call)) failed(error)
          reject(error)
        },
      )
    })
  }

  return {
    get isFull() {
      return pending >= max || failuresInRow >= maxFailures
    },
    get isFailing() {
      return failuresInRow > 0
    },
    limited:
      (make) =>
      (...parameters) => {
        if (pending >= max || failuresInRow >= maxFailures) requireTrial()
        if (pending - queue.length >= atOnce) return follow((call) => inTurn(call, () => make(...parameters)))
        let result: ReturnType<typeof make>
        try {
          result = make(...parameters)
        } catch (error) {
          failed(error)
          throw error
        }
        if (result instanceof Promise) return follow(result)
        if (failuresInRow > 0) endRow()
        return result
      },
  }
}

// Bound when it is loaded: the fake timers of a test runner must not stop a store.
const { setTimeout } = globalThis

/** The event loop polls its sockets between its timers and its immediates. */
const processTime: CallTime = {
  now: () => performance.now(),
  wait(ms, callback) {
    const timer: { unref?(): void } | number = setTimeout(() => runNextTurn(callback), ms)
    if (typeof timer === 'object') timer.unref?.()
  },
}
