import { type MaybePromise, StoreUnavailable } from '../../../core/index.ts'
import { isUnavailable } from '../../../core/internal.ts'
import { createBreaker, isWithin } from '../../breaker/breaker.ts'
import { createDeadline, type NextTurn } from '../../breaker/deadline.ts'
import { createGate, type Gate } from '../../breaker/gate.ts'

/** After how many failures in a row no request waits for the store. */
export const failuresToOpen = 5

/** How long a check waits for the storage: ten steps, of this many milliseconds. */
const checkTime = { stepMs: 180, turns: 10 }
/** How long the result of a check counts, in milliseconds. */
const freshMs = 900
/** How many checks that were given up may be under way, for example in the pool of a driver. */
const maxGivenUp = 2

/** How long a call may take, in steps, of which the one under way at its beginning does not count. */
export interface CallTime {
  /** How long a step is, in milliseconds. */
  readonly stepMs: number
  readonly steps: number
  /** The steps of a call once the storage has failed `failuresToOpen` times in a row. */
  readonly hurriedSteps: number
}

/** How calls of one kind are guarded. */
export interface GuardSetting {
  readonly time: CallTime
  /** How many calls run at once; later ones wait for their turn. Any number by default. */
  readonly maxCalls?: number
  /**
   * Does what the calls need. Throws or rejects where it cannot.
   *
   * @param isFailing - Whether the last call failed. Then it must need all that a call needs, since its success ends the failure.
   */
  readonly check: (isFailing: boolean) => unknown
}

/** What the guards of a storage have in common. */
export interface GuardContext {
  /** The calls that have not ended, also those that were given up, and the most there may be. */
  readonly pending: { count: number; readonly max: number }
  /** Called after each call that has ended. */
  readonly onEnd: (end: CallEnd) => void
  /** Called when a call is rejected because calls fail. */
  readonly onRejected: () => void
  /** Returns milliseconds. */
  readonly clock: () => number
  readonly nextTurn?: NextTurn | undefined
}

/** How a call or a check has ended. */
export type CallEnd = { readonly failure: unknown } | 'success'

/** Guards calls of a store that fail for one cause, such as those that write, and checks whether they would succeed. */
export interface Guard {
  /** Whether calls are rejected without a call of the store. */
  readonly isOpen: boolean
  /** Why its calls fail, as far as is known. */
  readonly failure: unknown
  /** Whether the last call or check failed. */
  readonly isFailing: boolean
  /**
   * Calls the store, and returns its result as it is where that is no promise. Throws, or rejects with, `StoreUnavailable` if the
   * breaker is open, too many calls are pending, or the store does not respond in time.
   */
  call<T>(run: () => MaybePromise<T>): MaybePromise<T>
  /** Gives calls, those that are pending too, few steps from now on, or all of them again. */
  hurry(isHurried: boolean): void
  /** Checks the store now, unless a check is under way. Resolves within two seconds; never rejects. */
  probe(): Promise<void>
  /** Checks the store if calls are rejected, at most once a second. */
  probeOpen(): void
  /** Checks the store, unless that was less than a second ago and no call has shown the contrary. Never rejects. */
  check(): Promise<void>
}

/** A call that has not ended. */
interface Call {
  /** Whether its result no longer counts, since it was given up or rejected. */
  isOver: boolean
  /** The turn of the deadline when it began. */
  readonly firstTurn: number
  /** How many calls had succeeded when it began. */
  readonly successesBefore: number
}

/**
 * Creates a guard of a breaker, a deadline and a gate. Only a `StoreUnavailable` and a call that takes too long are failures; the
 * store responds with any other error. Calls that share a statement are one call, so a store that stands still may cause fewer
 * than five failures: one opens the breaker that took longer than a hurried call may, while no other call succeeded.
 */
export function createGuard({ time, maxCalls, check }: GuardSetting, context: GuardContext): Guard {
  const { pending, onEnd, onRejected, clock, nextTurn } = context
  const breaker = createBreaker(failuresToOpen)
  const gate = maxCalls === undefined ? undefined : createGate(maxCalls)
  const overdue = () =>
    new StoreUnavailable(`the storage did not respond within ${time.stepMs * time.steps} ms`)
  const deadline = createDeadline({ stepMs: time.stepMs, turns: time.steps, overdue, nextTurn })
  const checkDeadline = createDeadline({
    ...checkTime,
    overdue: () => new StoreUnavailable(`no response within ${checkTime.stepMs * checkTime.turns} ms`),
    nextTurn,
  })
  let successes = 0
  let lastFailure: unknown
  let checked: { readonly end: CallEnd; readonly at: number; readonly wasFailing: boolean } | undefined
  let checking: Promise<void> | undefined
  let checksUnderWay = 0

  function standsStill({ firstTurn, successesBefore }: Call): boolean {
    return successes === successesBefore && deadline.turn - firstTurn > time.hurriedSteps
  }

  function record(end: CallEnd, call?: Call): void {
    if (end === 'success') {
      successes++
      if (breaker.isFailing) breaker.begin().succeeded()
    } else {
      lastFailure = end.failure
      breaker.begin().failed(end.failure, clock(), call && standsStill(call))
    }
    onEnd(end)
  }

  function recordError(cause: unknown, call?: Call): void {
    if (isUnavailable(cause)) record({ failure: cause }, call)
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
      if (!call.isOver) recordError(cause, call)
      call.isOver = true
      throw cause
    } finally {
      gate.leave()
    }
  }

  /** Limits the time of a call, and records how it ends, unless it was given up before. */
  function limit<T>(start: (call: Call) => Promise<T>): Promise<T> {
    const call: Call = { isOver: false, firstTurn: deadline.turn, successesBefore: successes }
    const end = (after: () => void) => {
      pending.count--
      if (!call.isOver) after()
    }
    pending.count++
    const result = start(call)
    result.then(
      () => end(() => record('success')),
      (cause) => end(() => recordError(cause, call)),
    )
    return deadline.limit(result, () => {
      call.isOver = true
      record({ failure: overdue() }, call)
    })
  }

  /** Runs a check in turn with the calls, so that it takes none of the connections that others need. */
  async function performCheck(): Promise<CallEnd> {
    if (checksUnderWay > maxGivenUp) return { failure: new StoreUnavailable('earlier checks have not ended') }
    checksUnderWay++
    let endsFailure = false
    const result = (async () => {
      const turn = gate?.enter()
      try {
        if (turn) await turn
        endsFailure = breaker.isFailing
        await check(endsFailure)
      } finally {
        gate?.leave()
        checksUnderWay--
      }
    })()
    try {
      // Once the storage responds again, another check is quick.
      await checkDeadline.limit(result, () => void result.then(probe, () => {}))
      if (endsFailure) record('success')
      return 'success'
    } catch (failure) {
      return { failure }
    }
  }

  async function runCheck(): Promise<void> {
    const end = await performCheck()
    checking = undefined
    if (end !== 'success') recordError(end.failure)
    checked = { end, at: clock(), wasFailing: breaker.isFailing }
  }

  function probe(): Promise<void> {
    checking ??= runCheck()
    return checking
  }

  return {
    get isOpen() {
      return breaker.isOpen
    },
    get isFailing() {
      return breaker.isFailing
    },
    get failure() {
      if (checked && checked.end !== 'success') return checked.end.failure
      return breaker.isOpen ? lastFailure : undefined
    },
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
    hurry(isHurried) {
      deadline.setTurns(isHurried ? time.hurriedSteps : time.steps)
    },
    probe,
    probeOpen() {
      if (breaker.isOpen && breaker.allowsProbe(clock())) void probe()
    },
    async check() {
      const isFresh = checked?.wasFailing === breaker.isFailing && isWithin(clock(), checked.at, freshMs)
      if (checking || !isFresh) await probe()
    },
  }
}
