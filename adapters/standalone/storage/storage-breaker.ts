import type { MaybePromise } from '../../../core/index.ts'
import { createBreaker } from '../../breaker/breaker.ts'
import type { NextTurn } from '../../breaker/deadline.ts'
import { explain } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { type CallEnd, createGuard, failuresToOpen, type GuardSetting } from './guard.ts'
import { type ServerStore, type StorageHealth, wrapStore } from './open-storage.ts'

/** The kinds of calls of a storage, each of which fails for one cause. */
export interface GuardSettings {
  /** Absent where keys are found without a wait. */
  readonly keys?: GuardSetting
  readonly reads: GuardSetting
  readonly writes: GuardSetting
}

/** Guards a storage, so that requests do not wait for one that fails. It has no timer of its own. */
export interface StorageBreaker {
  /** Returns the store with its calls guarded as `reads` and `writes`. */
  guard(store: ServerStore): ServerStore
  /** Runs a call of a kind. */
  call<T>(kind: keyof GuardSettings, run: () => MaybePromise<T>): MaybePromise<T>
  /** Returns what is known, and begins a check of what fails, at most once a second. */
  health(): StorageHealth
  /** Checks the storage, unless it did so less than a second ago. Resolves with the health within two seconds; never rejects. */
  check(): Promise<StorageHealth>
}

/** The most calls that have not ended, those that were given up included: two for each connection of a client. */
const maxPending = 5_000

/**
 * Creates a breaker, which logs when the storage fails and when it has recovered. After five failures in a row, or a long one
 * without a success, calls of a kind are rejected; five in a row of any kinds shorten the time of all calls. What fails is
 * checked at once and then, beside the requests that are rejected, once a second; a success ends it.
 *
 * @param time - That of this process, but in tests. `clock` returns milliseconds.
 */
export function createStorageBreaker(
  { reads, writes, keys = reads }: GuardSettings,
  log: Pick<Log, 'warning' | 'info'>,
  time: { clock: () => number; nextTurn?: NextTurn } = { clock: () => performance.now() },
): StorageBreaker {
  const anyKind = createBreaker(failuresToOpen)
  const context = { ...time, pending: { count: 0, max: maxPending }, onEnd, onRejected: probeOpen }
  const guards = {
    keys: createGuard(keys, context),
    reads: createGuard(reads, context),
    writes: createGuard(writes, context),
  }
  const all = Object.values(guards)
  let isOpen = false

  function onEnd(end: CallEnd): void {
    if (end !== 'success') anyKind.begin().failed(end.failure, time.clock())
    else if (anyKind.isFailing) anyKind.begin().succeeded()
    else if (!isOpen) return
    for (const guard of all) guard.hurry(anyKind.isOpen || guard.isOpen)
    const wasOpen = isOpen
    isOpen = all.some((guard) => guard.isOpen)
    if (wasOpen && !isOpen) log.info('store', 'the storage works again')
    if (wasOpen || !isOpen) return
    if (end !== 'success')
      log.warning(
        'store',
        `the storage fails, and requests that need it are rejected at once: ${explain(end.failure, false)}`,
      )
    for (const guard of all) if (guard.isOpen) void guard.probe()
  }

  /** Checks each kind that is rejected, so that none waits for a request of its own. */
  function probeOpen(): void {
    for (const guard of all) guard.probeOpen()
  }

  function healthNow(): StorageHealth {
    const [keyFailure, readFailure, writeFailure] = all.map(({ failure }) => failure)
    return { readFailure: readFailure ?? keyFailure, writeFailure }
  }

  return {
    guard: (store) =>
      wrapStore(
        store,
        (kind, method) =>
          (...parameters) =>
            guards[kind].call(() => method(...parameters)),
      ),
    call: (kind, run) => guards[kind].call(run),
    health() {
      probeOpen()
      return healthNow()
    },
    async check() {
      const { keys, ...others } = guards
      const checksKeys = keys.isFailing || keys.failure !== undefined
      await Promise.all((checksKeys ? all : Object.values(others)).map((guard) => guard.check()))
      return healthNow()
    },
  }
}
