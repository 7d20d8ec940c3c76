import type { MaybePromise, PetStore } from '../../../../core/index.ts'
import { isUnavailable } from '../../../../core/internal.ts'
import { createBreaker, probeEveryMs } from '../../../breaker/breaker.ts'
import type { NextTurn } from '../../../breaker/deadline.ts'
import type { StorageHealth } from '../open-storage.ts'
import { type CallEnd, type CallTime, createLane, failuresToOpen, type Lane } from './lane.ts'
import { createProbe, type Probe, type ProbeResult } from './probe.ts'
import { withLanes } from './with-lanes.ts'

/** How the calls of one lane are guarded. */
export interface LaneSetting {
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

/** The lanes of a storage: its calls that fail together. */
export interface LaneSettings {
  /** Absent where keys are found without a wait. */
  readonly keys?: LaneSetting
  readonly reads: LaneSetting
  readonly writes: LaneSetting
}

export interface StorageBreakerOptions {
  readonly lanes: LaneSettings
  /** Called when calls begin to be rejected. */
  readonly onFault: (cause: unknown) => void
  /** Called when none are rejected any more. */
  readonly onRecover: () => void
  /** Returns milliseconds. */
  readonly clock: () => number
  /** Calls back after `ms`. Returns a function that prevents it. */
  readonly schedule: (ms: number, callback: () => void) => () => void
  readonly nextTurn?: NextTurn
}

/** Guards a storage, so that requests do not wait for one that fails. */
export interface StorageBreaker {
  /** Returns the store with its calls in the lanes `reads` and `writes`. */
  guard(store: PetStore): PetStore
  /** Runs a call in a lane. */
  call<T>(lane: keyof LaneSettings, run: () => MaybePromise<T>): MaybePromise<T>
  /** Returns what is known. */
  health(): StorageHealth
  /** Checks the storage, unless it did so less than a second ago. Resolves with the health within two seconds; never rejects. */
  check(): Promise<StorageHealth>
  /** Ends its timer. */
  close(): void
}

interface GuardedLane {
  readonly lane: Lane
  readonly probe: Probe
  /** Checks what the calls need, unless that was less than a second ago and no call has shown the contrary. */
  check(): Promise<unknown>
  /** Returns why its calls fail, as far as is known. */
  failure(): unknown
}

/** The most calls that have not ended, those that were given up included: two for each connection of a client. */
const maxPending = 5_000

/**
 * Creates a breaker. A lane opens after five failures in a row and then rejects its calls. Five failures in a row in any
 * lanes shorten the time of all calls. A lane that is open is checked once a second, and a success closes it.
 */
export function createStorageBreaker(options: StorageBreakerOptions): StorageBreaker {
  const { onFault, onRecover, clock, schedule, nextTurn } = options
  const { keys = options.lanes.reads, reads, writes } = options.lanes
  const pending = { count: 0, max: maxPending }
  const together = createBreaker(failuresToOpen)
  const guarded = { keys: createGuarded(keys), reads: createGuarded(reads), writes: createGuarded(writes) }
  const all: readonly GuardedLane[] = Object.values(guarded)
  let isOpen = false
  let cancel: (() => void) | undefined

  function createGuarded({ time, maxCalls, check }: LaneSetting): GuardedLane {
    const lane = createLane({ time, maxCalls, pending, onEnd, clock, nextTurn })
    let last: ProbeResult = 'success'
    let wasFailing = false
    let wasFailingAfter = false
    const probe = createProbe({
      check: () =>
        lane.check(() => {
          wasFailing = lane.isFailing
          return check(wasFailing)
        }),
      onResult(result) {
        last = result
        if (result === 'success') {
          if (wasFailing) lane.record('success')
        } else if (isUnavailable(result.failure)) lane.record(result)
        wasFailingAfter = lane.isFailing
      },
      clock,
      nextTurn,
    })
    return {
      lane,
      probe,
      check: () => (lane.isFailing === wasFailingAfter ? probe.recent() : probe.run()),
      failure() {
        if (last !== 'success') return last.failure
        return lane.isOpen ? lane.lastFailure : undefined
      },
    }
  }

  function onEnd(end: CallEnd): void {
    if (end !== 'success') together.begin().failed(end.failure, clock())
    else if (together.isFailing) together.begin().succeeded()
    else if (!isOpen) return
    for (const { lane } of all) lane.hurry(together.isOpen || lane.isOpen)
    const wasOpen = isOpen
    isOpen = all.some(({ lane }) => lane.isOpen)
    if (wasOpen && !isOpen) onRecover()
    if (wasOpen || !isOpen) return
    if (end !== 'success') onFault(end.failure)
    probeOpenLanes()
  }

  /** Checks the lanes that are open, now and once a second until none is. */
  function probeOpenLanes(): void {
    cancel?.()
    for (const { lane, probe } of all) if (lane.isOpen) void probe.run()
    cancel = isOpen ? schedule(probeEveryMs, probeOpenLanes) : undefined
  }

  function health(): StorageHealth {
    const [keyFailure, readFailure, writeFailure] = all.map(({ failure }) => failure())
    return { readFailure: readFailure ?? keyFailure, writeFailure }
  }

  return {
    guard: (store) => withLanes(store, guarded.reads.lane, guarded.writes.lane),
    call: (lane, run) => guarded[lane].lane.call(run),
    health,
    async check() {
      const { keys: found, ...others } = guarded
      const checksKeys = found.lane.isFailing || found.failure() !== undefined
      const checked = checksKeys ? all : Object.values(others)
      await Promise.all(checked.map(({ check }) => check()))
      return health()
    },
    close() {
      cancel?.()
    },
  }
}
