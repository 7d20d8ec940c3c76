/** How often a part is tried while its breaker is open, in milliseconds. */
const probeEveryMs = 1000

/** What a breaker reports. */
export interface BreakerEvents {
  /** Called with the first failure after a success. */
  onFault?(error: unknown): void
  /** Called with the first success after a failure. */
  onRecover?(): void
}

/** Ensures that requests do not wait for a part that fails. Times are in milliseconds. */
export interface Breaker {
  /** Whether the part must not be called but for a probe. */
  readonly isOpen: boolean
  /** Whether the last call that counts has failed. */
  readonly isFailing: boolean
  /** Must be called before each call of the part, and one of the two functions that it returns after it. */
  begin(): BreakerCall
  /** Whether to try the part though the breaker is open. True once in `probeEveryMs`. */
  allowsProbe(now: number): boolean
}

/** One call of the part. */
export interface BreakerCall {
  succeeded(): void
  /** `opens` opens the breaker, however few failures there were. */
  failed(error: unknown, now: number, opens?: boolean): void
}

/**
 * Creates a breaker that opens after `failuresToOpen` failures in a row.
 *
 * Calls that were under way together fail for one cause, such as a pause of this process or a broken connection. So a
 * failure counts only if its call began after the failure before it, and a success only if its call began after the first
 * failure in the row. A caller that calls `begin` when its call has ended has each of them counted.
 */
export function createBreaker(failuresToOpen: number, { onFault, onRecover }: BreakerEvents = {}): Breaker {
  let failuresInRow = 0
  let allFailures = 0
  let triedAt = 0

  return {
    get isOpen() {
      return failuresInRow >= failuresToOpen
    },
    get isFailing() {
      return failuresInRow > 0
    },
    begin() {
      const failuresAtBegin = allFailures
      return {
        succeeded() {
          const failuresBeforeRow = allFailures - failuresInRow
          if (failuresAtBegin <= failuresBeforeRow) return
          onRecover?.()
          failuresInRow = 0
        },
        failed(error, now, opens = false) {
          if (failuresAtBegin !== allFailures) return
          if (failuresInRow === 0) onFault?.(error)
          if (failuresInRow < failuresToOpen) triedAt = now // late failures put off no probe
          const count = opens ? Math.max(1, failuresToOpen - failuresInRow) : 1
          failuresInRow += count
          allFailures += count
        },
      }
    },
    allowsProbe(now) {
      if (isWithin(now, triedAt, probeEveryMs)) return false
      triedAt = now
      return true
    },
  }
}

/** Whether less than `ms` have passed between `since` and `now`. Once the clock has stepped back behind `since`, they have passed. */
export function isWithin(now: number, since: number, ms: number): boolean {
  return now >= since && now < since + ms
}
