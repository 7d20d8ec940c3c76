import { isWithin } from './within.ts'

/** How often Redis is tried while it is open. */
const probeEveryMs = 1000

export interface BreakerEvents {
  /** Called with the first failure after a success. That Redis has no memory left for addresses is one, too. */
  readonly onFault?: ((error: unknown) => void) | undefined
  /** Called with the first success after a failure. */
  readonly onRecover?: (() => void) | undefined
}

/** Keeps requests from waiting for a Redis that does not answer. Times in ms. */
export interface Breaker {
  readonly isOpen: boolean
  /** Called before a call of Redis; one of the two must follow. */
  begin(): BreakerCall
  /** Whether one should try, though it is open: true once for each time that one should. */
  wantsProbe(now: number): boolean
}

export interface BreakerCall {
  succeeded(): void
  failed(error: unknown, now: number): void
}

/**
 * Opens after so many failures in a row. Calls that were under way together fail for one cause, such as a pause of this
 * process or a broken connection. So a failure counts only if its call began after the failure before it, and a success
 * only if its call began after the first failure in the row.
 */
export function createBreaker({ onFault, onRecover }: BreakerEvents, failuresToOpen: number): Breaker {
  /** In a row, and of all time. */
  let failures = 0
  let allFailures = 0
  let triedAt = 0

  return {
    get isOpen() {
      return failures >= failuresToOpen
    },
    begin() {
      const begun = allFailures
      return {
        succeeded() {
          const failuresBefore = allFailures - failures
          if (begun <= failuresBefore) return
          onRecover?.()
          failures = 0
        },
        failed(error, now) {
          if (begun !== allFailures) return
          if (failures === 0) onFault?.(error)
          failures++
          allFailures++
          triedAt = now
        },
      }
    },
    wantsProbe(now) {
      if (isWithin(now, triedAt, probeEveryMs)) return false
      triedAt = now
      return true
    },
  }
}
