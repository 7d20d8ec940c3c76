import type { Backend, BackendEvent } from './backend.ts'
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts'
import { createHealthCheck, type Health } from './health.ts'
import { processTime, type Time } from './time.ts'

/** Maximum number of pending reads. The same maximum applies to writes. Allows one call for each client connection. */
export const maxPending = 2_500

/** Options for {@link createStoreBreakers}. */
export interface StoreBreakersOptions {
  /** Maximum duration of a call in milliseconds. */
  readonly timeoutMs: number
  /** Tries to read without storing anything. Throws or rejects if reads fail. */
  checkReads(): unknown
  /**
   * Tries to write without storing anything. Throws or rejects if writes fail.
   *
   * @param isFailing - Whether writes are failing. A successful check then closes the circuit, so the check must cover
   * everything that a write needs.
   */
  checkWrites(isFailing: boolean): unknown
  /** Called with a `store` event when reads or writes fail for a new cause, and when both work again. */
  readonly onEvent?: ((event: BackendEvent) => void) | undefined
  /** Called when a circuit opens. */
  readonly onOpen?: () => void
  /**
   * Clock and timers.
   *
   * @default {@link processTime}
   */
  readonly time?: Time
}

/**
 * Circuit breakers for a store, and its health check. Reads and writes have separate breakers, so reads continue while
 * writes fail.
 */
export interface StoreBreakers extends Pick<Backend, 'check'> {
  readonly reads: CircuitBreaker
  readonly writes: CircuitBreaker
}

/** Creates the circuit breakers of a store. Outages are reported as events. */
export function createStoreBreakers(options: StoreBreakersOptions): StoreBreakers {
  const { timeoutMs, checkReads, checkWrites, onEvent, onOpen, time = processTime } = options
  /** The reported cause of each outage, so that it is not reported again. */
  const reportedCauses = new Map<keyof Health, string>()

  function reportFailure(kind: keyof Health, cause: unknown): void {
    const messages = joinMessages(cause)
    if (reportedCauses.get(kind) === messages) return
    reportedCauses.set(kind, messages)
    onEvent?.({ level: 'warning', event: 'store', message: `${kind} are failing`, cause })
  }

  function reportRecovery(kind: keyof Health): void {
    if (!reportedCauses.delete(kind) || reportedCauses.size > 0) return
    onEvent?.({ level: 'info', event: 'store', message: 'the store has recovered' })
  }

  function createBreaker(kind: keyof Health): CircuitBreaker {
    return createCircuitBreaker({
      timeoutMs,
      maxPending,
      time,
      onOpen,
      onFailure: (cause) => reportFailure(kind, cause),
      onClose: () => reportRecovery(kind),
    })
  }

  /**
   * Wraps a check with its circuit breaker. A failed check is reported, so an outage is noticed even without requests.
   */
  const wrapCheck = (kind: keyof Health, check: () => unknown) =>
    breakers[kind].wrap(async () => {
      try {
        await check()
      } catch (cause) {
        reportFailure(kind, cause)
        throw cause
      }
      reportRecovery(kind)
    })

  const breakers = { reads: createBreaker('reads'), writes: createBreaker('writes') }
  const checks = {
    reads: wrapCheck('reads', checkReads),
    writes: wrapCheck('writes', () => checkWrites(breakers.writes.isFailing)),
  }
  return { ...breakers, check: createHealthCheck(checks, time) }
}

/** Joins an error's message with the messages of its causes, to compare causes. */
function joinMessages(error: unknown): string {
  return error instanceof Error ? `${error.message}\n${joinMessages(error.cause)}` : String(error)
}
