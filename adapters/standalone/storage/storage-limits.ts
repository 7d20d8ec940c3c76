import { type CallLimit, type CallTime, createCallLimit } from '../../calls/limited.ts'
import { explain, failureOf } from '../errors.ts'
import type { OpenStorage, StorageHealth, StorageLog } from './open-storage.ts'

/** How a storage is tried. Throws or rejects where it fails, and stores nothing. */
export interface StorageChecks {
  reads(): unknown
  /** @param isFailing - Whether calls fail. Then it must need all that a call needs: its success ends the failure. */
  writes(isFailing: boolean): unknown
}

/** The limits of a storage, each of calls that fail for one cause, and whether it works. */
export interface StorageLimits extends Pick<OpenStorage, 'check'> {
  readonly reads: CallLimit
  readonly writes: CallLimit
}

/** The most calls of a kind that have not ended: one for each connection of a client. */
export const maxPending = 2_500

/** How long a check waits for the storage, and how long its result counts, in milliseconds. */
const [checkMs, freshMs] = [1_800, 900]

/**
 * Creates the limits of a storage, so that no request waits long for one that stands still. Logs when it fails and when
 * it has recovered.
 *
 * @param ms - How long a call may take, in milliseconds.
 * @param time - That of this process, but in tests.
 */
export function createStorageLimits(
  ms: number,
  checks: StorageChecks,
  log: StorageLog,
  time?: CallTime,
): StorageLimits {
  const now = time?.now ?? (() => performance.now())
  const own = time && { time }
  const failing = new Set<keyof StorageChecks>()
  let last: Promise<StorageHealth> | undefined
  /** When the last check ended; infinite while it is under way. */
  let checkedAt = Infinity

  function createLimit(kind: keyof StorageChecks): CallLimit {
    return createCallLimit({
      ...{ ms, max: maxPending, ...own },
      onFault(error) {
        failing.add(kind)
        const problem = 'the storage fails, and requests that need it are rejected at once'
        log.warning('store', `${problem}: ${explain(error, false)}`)
      },
      onRecover() {
        failing.delete(kind)
        if (failing.size === 0) log.info('store', 'the storage works again')
      },
    })
  }

  const limits = { reads: createLimit('reads'), writes: createLimit('writes') }
  /** A check is one of the calls, for which nobody waits as long. */
  const { limited } = createCallLimit({
    ms: checkMs,
    max: Number.POSITIVE_INFINITY,
    ...own,
    isFailure: () => false,
  })
  const tryCall = limited((kind: keyof StorageChecks) =>
    limits[kind].limited(async () => checks[kind](limits[kind].isFailing))(),
  )

  async function checkBoth(): Promise<StorageHealth> {
    const failures = [failureOf(() => tryCall('reads')), failureOf(() => tryCall('writes'))]
    const [readFailure, writeFailure] = await Promise.all(failures)
    checkedAt = now()
    return { readFailure, writeFailure }
  }

  return {
    ...limits,
    check() {
      if (last && now() - checkedAt < freshMs) return last
      checkedAt = Infinity
      last = checkBoth()
      return last
    },
  }
}
