import { type CallLimit, type CallLimits, type CallTime, createCallLimit } from '../../calls/limited.ts'
import { explain } from '../errors.ts'
import type { Log } from '../log/log.ts'
import type { StorageHealth } from './open-storage.ts'

/** A kind of calls of a storage that fail for one cause, and how one of them is tried. */
export interface LimitedKind extends Pick<CallLimits, 'ms'> {
  /**
   * Does what the calls need, and stores nothing. Throws or rejects where it cannot.
   *
   * @param isFailing - Whether calls fail. Then it must need all that a call needs, since its success ends the failure.
   */
  check(isFailing: boolean): unknown
}

/** The limits of a storage, and whether it works. */
export interface StorageLimits {
  readonly reads: CallLimit
  readonly writes: CallLimit
  /** Returns the health as it was when it was last checked. */
  health(): StorageHealth
  /** Checks whether animals can be read and stored, at most once a second. Resolves within two seconds; never rejects. */
  check(): Promise<StorageHealth>
}

/** The most calls of a kind that have not ended: one for each connection of a client. */
export const maxPending = 2_500

/** How long a check waits for the storage, and how long its result counts, in milliseconds. */
const [checkMs, freshMs] = [1_800, 900]

/**
 * Creates the limits of a storage, so that no request waits long for one that stands still. Logs when it fails and when it has
 * recovered.
 *
 * @param time - That of this process, but in tests.
 */
export function createStorageLimits(
  kinds: { readonly reads: LimitedKind; readonly writes: LimitedKind },
  log: Pick<Log, 'warning' | 'info'>,
  time?: CallTime,
): StorageLimits {
  const now = time?.now ?? (() => performance.now())
  const failing = new Set<LimitedKind>()
  const own = time && { time }

  function createLimit(kind: LimitedKind): CallLimit {
    return createCallLimit({
      ms: kind.ms,
      max: maxPending,
      ...own,
      onFault(error) {
        failing.add(kind)
        log.warning(
          'store',
          `the storage fails, and requests that need it are rejected at once: ${explain(error, false)}`,
        )
      },
      onRecover() {
        failing.delete(kind)
        if (failing.size === 0) log.info('store', 'the storage works again')
      },
    })
  }

  /** Returns a function that resolves with what a check failed with. It is one of the calls, for which nobody waits as long. */
  function createCheck(limit: CallLimit, { check }: LimitedKind): () => Promise<unknown> {
    const { limited } = createCallLimit({ ms: checkMs, max: Number.POSITIVE_INFINITY, ...own })
    const limitedCheck = limited(limit.limited(async () => check(limit.isFailing)))
    return async () => {
      try {
        await limitedCheck()
        return undefined
      } catch (failure) {
        return failure
      }
    }
  }

  const [reads, writes] = [createLimit(kinds.reads), createLimit(kinds.writes)]
  const [checkReads, checkWrites] = [createCheck(reads, kinds.reads), createCheck(writes, kinds.writes)]
  let known: StorageHealth = { readFailure: undefined, writeFailure: undefined }
  let checkedAt = Number.NEGATIVE_INFINITY
  let checking: Promise<StorageHealth> | undefined

  async function checkBoth(): Promise<StorageHealth> {
    const [readFailure, writeFailure] = await Promise.all([checkReads(), checkWrites()])
    known = { readFailure, writeFailure }
    checkedAt = now()
    checking = undefined
    return known
  }

  return {
    reads,
    writes,
    health: () => known,
    async check() {
      if (!checking && now() - checkedAt < freshMs) return known
      checking ??= checkBoth()
      return checking
    },
  }
}
