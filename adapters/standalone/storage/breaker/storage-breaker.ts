import type { MaybePromise, PetStore } from '../../../../core/index.ts'
import { isUnavailable } from '../../../../core/internal.ts'
import { createBreaker } from '../../../breaker/breaker.ts'
import type { NextTurn } from '../../../breaker/deadline.ts'
import { explain } from '../../errors.ts'
import type { Log } from '../../log/log.ts'
import type { StorageHealth } from '../open-storage.ts'
import { type CallEnd, type CallTime, createGuard, failuresToOpen, type Guard } from './guard.ts'
import { createProbe, type Probe, type ProbeResult } from './probe.ts'

/** How calls of one kind are guarded. */
export interface GuardSetting {
  readonly time: CallTime
  /** How many calls run at once; any number by default. */
  readonly maxCalls?: number
  /**
   * Does what the calls need. Throws or rejects where it cannot.
   *
   * @param isFailing - Whether the last call failed. Then it must need all that a call needs, since its success ends the failure.
   */
  readonly check: (isFailing: boolean) => unknown
}

/** The kinds of calls of a storage, each of which fails for one cause. */
export interface GuardSettings {
  /** Absent where keys are found without a wait. */
  readonly keys?: GuardSetting
  readonly reads: GuardSetting
  readonly writes: GuardSetting
}

/** The time of a breaker: that of this process, but in tests. */
export interface BreakerTime {
  /** Returns milliseconds. */
  readonly clock: () => number
  readonly nextTurn?: NextTurn
}

/** Guards a storage, so that requests do not wait for one that fails. It has no timer of its own. */
export interface StorageBreaker {
  /** Returns the store with its calls guarded as `reads` and `writes`. */
  guard(store: PetStore): PetStore
  /** Runs a call of a kind. */
  call<T>(kind: keyof GuardSettings, run: () => MaybePromise<T>): MaybePromise<T>
  /** Returns what is known, and begins a check of what fails, at most once a second. */
  health(): StorageHealth
  /** Checks the storage, unless it did so less than a second ago. Resolves with the health within two seconds; never rejects. */
  check(): Promise<StorageHealth>
}

/** The calls of one kind. */
interface Guarded {
  readonly guard: Guard
  readonly probe: Probe
  /** Checks what the calls need, unless that was less than a second ago and no call has shown the contrary. */
  check(): Promise<unknown>
  /** Returns why its calls fail, as far as is known. */
  failure(): unknown
}

/** The most calls that have not ended, those that were given up included: two for each connection of a client. */
const maxPending = 5_000

/**
 * Creates a breaker, which logs when the storage fails and when it has recovered. After five failures in a row, calls of a
 * kind are rejected; five in a row of any kinds shorten the time of all calls. What fails is checked at once and then, beside
 * the requests that are rejected, once a second; a success ends it.
 */
export function createStorageBreaker(
  settings: GuardSettings,
  log: Pick<Log, 'warning' | 'info'>,
  { clock, nextTurn }: BreakerTime = { clock: () => performance.now() },
): StorageBreaker {
  const { keys = settings.reads, reads, writes } = settings
  const pending = { count: 0, max: maxPending }
  const anyKind = createBreaker(failuresToOpen)
  const guarded = { keys: createGuarded(keys), reads: createGuarded(reads), writes: createGuarded(writes) }
  const all: readonly Guarded[] = Object.values(guarded)
  let isOpen = false

  function createGuarded({ time, maxCalls, check }: GuardSetting): Guarded {
    const guard = createGuard({ time, maxCalls, pending, onEnd, onRejected: probeOpen, clock, nextTurn })
    let last: ProbeResult = 'success'
    let wasFailing = false
    let wasFailingAfter = false
    const probe = createProbe({
      check: () =>
        guard.check(() => {
          wasFailing = guard.isFailing
          return check(wasFailing)
        }),
      onResult(result) {
        last = result
        if (result === 'success') {
          if (wasFailing) guard.record('success')
        } else if (isUnavailable(result.failure)) guard.record(result)
        wasFailingAfter = guard.isFailing
      },
      clock,
      nextTurn,
    })
    return {
      guard,
      probe,
      check: () => (guard.isFailing === wasFailingAfter ? probe.recent() : probe.run()),
      failure() {
        if (last !== 'success') return last.failure
        return guard.isOpen ? guard.lastFailure : undefined
      },
    }
  }

  function onEnd(end: CallEnd): void {
    if (end !== 'success') anyKind.begin().failed(end.failure, clock())
    else if (anyKind.isFailing) anyKind.begin().succeeded()
    else if (!isOpen) return
    for (const { guard } of all) guard.hurry(anyKind.isOpen || guard.isOpen)
    const wasOpen = isOpen
    isOpen = all.some(({ guard }) => guard.isOpen)
    if (wasOpen && !isOpen) log.info('store', 'the storage works again')
    if (wasOpen || !isOpen) return
    if (end !== 'success')
      log.warning(
        'store',
        `the storage fails, and requests that need it are rejected at once: ${explain(end.failure, false)}`,
      )
    for (const { guard, probe } of all) if (guard.isOpen) void probe.run()
  }

  /** Checks each kind that is rejected, so that none waits for a request of its own. */
  function probeOpen(): void {
    if (isOpen) for (const { guard, probe } of all) if (guard.allowsProbe()) void probe.run()
  }

  function healthNow(): StorageHealth {
    const [keyFailure, readFailure, writeFailure] = all.map(({ failure }) => failure())
    return { readFailure: readFailure ?? keyFailure, writeFailure }
  }

  return {
    guard({ create, get, list, page, createOnce, findCreated, update, remove }) {
      const as =
        <Parameters extends unknown[], Result>(
          { guard }: Guarded,
          method: (...parameters: Parameters) => MaybePromise<Result>,
        ) =>
        (...parameters: Parameters): MaybePromise<Result> =>
          guard.call(() => method(...parameters))
      return {
        create: as(guarded.writes, create),
        get: as(guarded.reads, get),
        list: as(guarded.reads, list),
        ...(page && { page: as(guarded.reads, page) }),
        ...(createOnce && { createOnce: as(guarded.writes, createOnce) }),
        ...(findCreated && { findCreated: as(guarded.reads, findCreated) }),
        ...(update && { update: as(guarded.writes, update) }),
        ...(remove && { remove: as(guarded.writes, remove) }),
      }
    },
    call: (kind, run) => guarded[kind].guard.call(run),
    health() {
      probeOpen()
      return healthNow()
    },
    async check() {
      const { keys: found, ...others } = guarded
      const checksKeys = found.guard.isFailing || found.failure() !== undefined
      const checked = checksKeys ? all : Object.values(others)
      await Promise.all(checked.map(({ check }) => check()))
      return healthNow()
    },
  }
}
