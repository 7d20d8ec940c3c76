import { type MaybePromise, StoreUnavailable } from '../../../../core/index.ts'
import { isUnavailable } from '../../../../core/internal.ts'
import { createBreaker } from '../../../breaker/breaker.ts'
import { createDeadline, type NextTurn } from '../../../breaker/deadline.ts'
import { createGate, type Gate } from '../../../breaker/gate.ts'

/** After how many failures in a row no request waits for the store. */
export const failuresToOpen = 5

/** How long a call may take, in steps, of which the one under way at its beginning does not count. */
export interface CallTime {
  /** How long a step is, in milliseconds. */
  readonly stepMs: number
  readonly steps: number
  /** The steps of a call once the storage has failed `failuresToOpen` times in a row. */
  readonly hurriedSteps: number
}

export interface GuardOptions {
  /** The time of a call. */
  readonly time: CallTime
  /** How many calls run at once; later ones wait for their turn. Undefined for any number. */
  readonly maxCalls?: number | undefined
  /** The calls of all guards that have not ended, and the most there may be. */
  readonly pending: PendingCalls
  /** Called after each call that has ended. */
  readonly onEnd: (end: CallEnd) => void
  /** Called when a call is rejected because calls fail. */
  readonly onRejected: () => void
  readonly clock: () => number
  readonly nextTurn?: NextTurn | undefined
}

/** The calls that have not ended, also those that were given up. */
export interface PendingCalls {
  count: number
  readonly max: number
}

/** How a call has ended. */
export type CallEnd = { readonly failure: unknown } | 'success'

/** Guards calls of a store that fail for one cause, such as those that write: by a breaker, a deadline and a gate. */
export interface Guard {
  /** Whether calls are rejected without a call of the store. */
  readonly isOpen: boolean
  /** Whether the last call has failed. */
  readonly isFailing: boolean
  /** Why the last call failed that did. */
  readonly lastFailure: unknown
  /**
   * Calls the store, and returns its result as it is where that is no promise. Throws, or rejects with, `StoreUnavailable` if the
   * breaker is open, too many calls are pending, or the store does not respond in time.
   */
  call<T>(run: () => MaybePromise<T>): MaybePromise<T>
  /** Runs a check in turn with the calls, so that it takes none of the connections that others need. */
  check(run: () => unknown): Promise<unknown>
  /** Whether to check the store though the breaker is open. True once a second. */
  allowsProbe(): boolean
  /** Records the result of a check. */
  record(end: CallEnd): void
  /** Gives calls, those that are pending too, few steps from now on, or all of them again. */
  hurry(isHurried: boolean): void
}

/** A call that has not ended. */
interface Call {
  /** Whether its result no longer counts, since it was given up or rejected. */
  isOver: boolean
}

/** Creates a guard. Only a `StoreUnavailable` and a call that takes too long are failures; the store responds with any other error. */
export function createGuard(options: GuardOptions): Guard {
  const { time, maxCalls, pending, onEnd, onRejected, clock } = options
  const breaker = createBreaker(failuresToOpen)
  const gate = maxCalls === undefined ? undefined : createGate(maxCalls)
  const overdue = () =>
    new StoreUnavailable(`the storage did not respond within ${time.stepMs * time.steps} ms`)
  const deadline = createDeadline({
    stepMs: time.stepMs,
    turns: time.steps,
    overdue,
    ...(options.nextTurn && { nextTurn: options.nextTurn }),
  })
  let lastFailure: unknown

  function record(end: CallEnd): void {
    if (end === 'success') {
      if (breaker.isFailing) breaker.begin().succeeded()
    } else {
      lastFailure = end.failure
      breaker.begin().failed(end.failure, clock())
    }
    onEnd(end)
  }

  function recordError(cause: unknown): void {
    if (isUnavailable(cause)) record({ failure: cause })
  }

  function requireClosed(): void {
    if (!breaker.isOpen) return
    onRejected()
    throw new StoreUnavailable('the storage fails, and is tried again once a second', { cause: lastFailure })
  }

  /** A call that is given up while it waits for its turn never runs: it would store an animal that no one waits for. */
  async function inTurn<T>(run: () => MaybePromise<T>, gate: Gate, call: Call): Promise<T> {
    const turn = gate.enter()
    try {
      if (turn) await turn
      if (breaker.isOpen) call.isOver = true // its rejection is no failure of the store
      requireClosed()
      if (call.isOver) throw overdue()
      return await run()
    } catch (cause) {
      // before the next call takes its turn, which must not run once this failure opens the breaker
      if (!call.isOver) recordError(cause)
      call.isOver = true
      throw cause
    } finally {
      gate.leave()
    }
  }

  /** Limits the time of a call, and records how it ends, unless it was given up before. */
  function limit<T>(start: (call: Call) => Promise<T>): Promise<T> {
    const call: Call = { isOver: false }
    const end = (after: () => void) => {
      pending.count--
      if (!call.isOver) after()
    }
    pending.count++
    const result = start(call)
    result.then(
      () => end(() => record('success')),
      (cause) => end(() => recordError(cause)),
    )
    return deadline.limit(result, () => {
      call.isOver = true
      record({ failure: overdue() })
    })
  }

  return {
    get isOpen() {
      return breaker.isOpen
    },
    get isFailing() {
      return breaker.isFailing
    },
    get lastFailure() {
      return lastFailure
    },
    record,
    allowsProbe: () => breaker.isOpen && breaker.allowsProbe(clock()),
    call(run) {
      requireClosed()
      if (pending.count >= pending.max)
        throw new StoreUnavailable(`${pending.max} calls wait for the storage, the most`)
      if (gate) return limit((call) => inTurn(run, gate, call))
      let result: ReturnType<typeof run>
      try {
        result = run()
      } catch (cause) {
        recordError(cause)
        throw cause
      }
      if (result instanceof Promise) {
        const promise = result
        return limit(() => promise)
      }
      record('success')
      return result
    },
    async check(run) {
      const turn = gate?.enter()
      try {
        if (turn) await turn
        return await run()
      } finally {
        gate?.leave()
      }
    },
    hurry(isHurried) {
      deadline.setTurns(isHurried ? time.hurriedSteps : time.steps)
    },
  }
}
