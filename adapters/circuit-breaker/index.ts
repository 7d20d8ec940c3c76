import { type MaybePromise, StoreUnavailable } from '../../core/index.ts'
import { isUnavailable } from '../../core/internal.ts'
import { createTimeout, processTime, type Time, type Timeout } from './timeout.ts'

/** Options of `createCircuitBreaker`. */
export interface CircuitBreakerOptions {
  /** Maximum time a caller waits, in milliseconds during which this process runs. It may take 10 % longer. */
  readonly timeoutMs: number
  /** Number of pending calls that opens the circuit. A call that timed out is pending until it settles. */
  readonly maxPending: number
  /** Maximum number of calls in flight; later calls are queued. Unlimited by default. */
  readonly maxInFlight?: number
  /**
   * Creates the error of a call that times out or is rejected. `problem` is the end of a sentence, such as `did not
   * respond within 100 ms`. By default a `StoreUnavailable` about the storage.
   */
  readonly toError?: (problem: string) => Error
  /** Returns whether an error counts as a failure. By default, only a `StoreUnavailable` does. */
  readonly isFailure?: (error: unknown) => boolean
  /** Called with the fifth consecutive failure. */
  readonly onOpen?: (error: unknown) => void
  /** Called with the first success after `onOpen`. */
  readonly onClose?: () => void
  /** The clock and the timer; by default the ones of this process. */
  readonly time?: Time
}

/** Guards calls of a part that can fail. */
export interface CircuitBreaker {
  /** True while calls are rejected immediately, except one probe per second. */
  readonly isOpen: boolean
  /** True if the last call failed. */
  readonly isFailing: boolean
  /** Returns a function that makes a call unless the circuit is open. It never throws, it rejects. */
  wrap<Parameters extends unknown[], Result>(
    call: (...parameters: Parameters) => MaybePromise<Result>,
  ): (...parameters: Parameters) => Promise<Result>
}

/** Number of consecutive failures that opens the circuit. */
const maxFailures = 5
/** Minimum time between two probes, in milliseconds. */
const probeMs = 1_000

/**
 * Creates a circuit breaker. While it is closed, it makes every call, and rejects one that takes too long. It is open
 * after five consecutive failures until a success, and while `maxPending` calls are pending. While it is open, it makes
 * one call per second as a probe, and no other until that one has settled or timed out.
 */
export function createCircuitBreaker(options: CircuitBreakerOptions): CircuitBreaker {
  const { timeoutMs, maxPending, maxInFlight = Infinity, onOpen, onClose, time = processTime } = options
  const { isFailure = isUnavailable, toError = (problem) => new StoreUnavailable(`the storage ${problem}`) } =
    options
  const withTimeout = createTimeout(timeoutMs, time)
  const lateError = () => toError(`did not respond within ${timeoutMs} ms`)
  const queue: (() => void)[] = []
  let inFlight = 0
  /** Consecutive failures. */
  let failures = 0
  let isProbing = false
  let probedAt = -Infinity

  const isFull = () => inFlight + queue.length >= maxPending
  const isOpen = () => failures >= maxFailures || isFull()

  /** Throws if no probe may start now. */
  function startProbe(): void {
    const now = time.now()
    if (isProbing || now - probedAt < probeMs) {
      const reason = isFull() ? `has ${maxPending} pending calls` : 'fails'
      throw toError(`${reason}, and is tried once per second`)
    }
    isProbing = true
    probedAt = now
  }

  function succeed(): void {
    const wasOpen = failures >= maxFailures
    failures = 0
    if (wasOpen) onClose?.()
  }

  function fail(error: unknown): void {
    if (isFailure(error) && ++failures === maxFailures) onOpen?.(error)
  }

  /** Makes a call when fewer than `maxInFlight` are in flight. If it timed out in the queue, it is not made. */
  async function makeCall<Result>(call: () => MaybePromise<Result>, timeout: Timeout): Promise<Result> {
    if (inFlight < maxInFlight) inFlight++
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      if (timeout.isOver) throw lateError()
      return await call()
    } finally {
      const next = queue.shift()
      if (next)
        next() // takes this call's place in flight
      else inFlight--
    }
  }

  return {
    get isOpen() {
      return isOpen()
    },
    get isFailing() {
      return failures > 0
    },
    wrap:
      (call) =>
      async (...parameters) => {
        const isProbe = isOpen()
        if (isProbe) startProbe()
        try {
          const result = await withTimeout(
            (timeout) => makeCall(() => call(...parameters), timeout),
            lateError,
          )
          succeed()
          return result
        } catch (error) {
          fail(error)
          throw error
        } finally {
          if (isProbe) isProbing = false
        }
      },
  }
}
