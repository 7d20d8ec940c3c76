import { isWithin } from './within.ts'

/** So many failures in a row open it. */
const failuresToOpen = 3

/** How often Redis is tried while it is open. */
const probeEveryMs = 1000

export interface BreakerEvents {
  /** Called with the first failure after a success. */
  readonly onFault?: ((error: unknown) => void) | undefined
  /** Called with the first success after a failure. */
  readonly onHeal?: (() => void) | undefined
}

/** Keeps requests from waiting for a Redis that does not answer. Times in ms. */
export interface Breaker {
  readonly isOpen: boolean
  /** The last failure. */
  readonly fault: unknown
  succeeded(): void
  failed(error: unknown, now: number): void
  /** Whether one should try, though it is open: true once for each time that one should. */
  wantsProbe(now: number): boolean
}

export function createBreaker({ onFault, onHeal }: BreakerEvents): Breaker {
  let failures = 0
  let fault: unknown
  let triedAt = 0

  return {
    get isOpen() {
      return failures >= failuresToOpen
    },
    get fault() {
      return fault
    },
    succeeded() {
      if (failures > 0) onHeal?.()
      failures = 0
    },
    failed(error, now) {
      if (failures === 0) onFault?.(error)
      failures++
      fault = error
      triedAt = now
    },
    wantsProbe(now) {
      if (isWithin(now, triedAt, probeEveryMs)) return false
      triedAt = now
      return true
    },
  }
}
