import { type MaybePromise, StoreUnavailable } from '../../../../core/index.ts'
import { isUnavailable } from '../../../../core/internal.ts'
import { type Breaker, createBreaker } from '../../../breaker/breaker.ts'
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

export interface LaneOptions {
  /** The time of a call. */
  readonly time: CallTime
  /** How many calls run at once; later ones wait for their turn. Undefined for any number. */
  readonly maxCalls?: number | undefined
  /** The calls of all lanes that have not ended, and the most there may be. */
  readonly pending: PendingCalls
  /** Called after each call that has ended. */
  readonly onEnd: (end: CallEnd) => void
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

/** The calls of a store that fail together, such as those that write. */
export interface Lane {
  /** Whether calls are rejected without a call of the store. */
  readonly isOpen: boolean
  /** Whether the last call has failed. */
  readonly isFailing: boolean
  /** Why the last call failed that did. */
  readonly lastFailure: unknown
  /**
   * Calls the store, and returns its result as it is where that is no promise. Throws, or rejects with, `StoreUnavailable` if the
   * lane is open, too many calls are pending, or the store does not respond in time.
   */
  call<T>(run: () => MaybePromise<T>): MaybePromise<T>
  /** Runs a check in turn with the calls, so that it takes none of the connections that others need. */
  check(run: () => unknown): Promise<unknown>
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

/** Creates a lane. Only a `StoreUnavailable` and a call that takes too long are failures; the store responds with any other error. */
export function createLane(options: LaneOptions): Lane {
  const { time, maxCalls, pending, onEnd, clock } = options
  const breaker: Breaker = createBreaker(failuresToOpen)
  const gate = maxCalls === undefined ? undefined : createGate(maxCalls)
  const deadline = createDeadline({
    stepMs: time.stepMs,
    turns: time.steps,
    overdue: () => new StoreUnavailable(overdueMessage),
    ...(options.nextTurn && { nextTurn: options.nextTurn }),
  })
  const overdueMessage = `the storage did not respond within ${time.stepMs * time.steps} ms`
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

  function noteError(cause: unknown): void {
    if (isUnavailable(cause)) record({ failure: cause })
  }

  function requireClosed(): void {
    if (breaker.isOpen)
      throw new StoreUnavailable('the storage fails, and is tried again once a second', {
        cause: lastFailure,
      })
  }

  /** Records how a call ends, unless it was given up before. */
  function observe<T>(result: Promise<T>, call: Call): Promise<T> {
    return result.then(
      (value) => {
        pending.count--
        if (!call.isOver) record('success')
        return value
      },
      (cause) => {
        pending.count--
        if (!call.isOver) noteError(cause)
        throw cause
      },
    )
  }

  /** A call that is given up while it waits for its turn never runs: it would store an animal that no one waits for. */
  async function inTurn<T>(run: () => MaybePromise<T>, gate: Gate, call: Call): Promise<T> {
    const turn = gate.enter()
    try {
      if (turn) await turn
      if (breaker.isOpen) call.isOver = true // its rejection is no failure of the store
      requireClosed()
      if (call.isOver) throw new StoreUnavailable(overdueMessage)
      return await run()
    } catch (cause) {
      // before the next call takes its turn, which must not run once this failure opens the breaker
      if (!call.isOver) noteError(cause)
      call.isOver = true
      throw cause
    } finally {
      gate.leave()
    }
  }

  function limit<T>(start: (call: Call) => Promise<T>): Promise<T> {
    const call: Call = { isOver: false }
    pending.count++
    return deadline.limit(observe(start(call), call), () => {
      call.isOver = true
      record({ failure: new StoreUnavailable(overdueMessage) })
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
    call(run) {
      requireClosed()
      if (pending.count >= pending.max)
        throw new StoreUnavailable(`${pending.max} calls wait for the storage, the most`)
      if (gate) return limit((call) => inTurn(run, gate, call))
      let result: ReturnType<typeof run>
      try {
        result = run()
      } catch (cause) {
        noteError(cause)
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
