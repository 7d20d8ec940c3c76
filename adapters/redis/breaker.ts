import { isWithin } from './within.ts'

/**
 * So many failures in a row open it. Calls that were under way together fail for one cause, such as a pause of this
 * process or a broken connection, so they are one failure: the next is that of a call that began after it.
 */
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
  /** Called before a call. Returns what `failed` takes. */
  begin(): number
  succeeded(): void
  failed(error: unknown, now: number, begun: number): void
  /** Whether one should try, though it is open: true once for each time that one should. */
  wantsProbe(now: number): boolean
}

export function createBreaker({ onFault, onHeal }: BreakerEvents): Breaker {
  let failures = 0
  /** Of all time. */
  let counted = 0
  let triedAt = 0

  return {
    get isOpen() {
      return failures >= failuresToOpen
    },
    begin: () => counted,
    succeeded() {
      if (failures > 0) onHeal?.()
      failures = 0
    },
    failed(error, now, begun) {
      if (begun !== counted) return
      if (failures === 0) onFault?.(error)
      failures++
      counted++
      triedAt = now
    },
    wantsProbe(now) {
      if (isWithin(now, triedAt, probeEveryMs)) return false
      triedAt = now
      return true
    },
  }
}
