import { type MaybePromise, StoreUnavailableError } from '../../core/index.ts'
import { isUnavailableError } from '../../core/internal.ts'
import { createCallLimit } from './limit.ts'
import { processTime, type Time } from './time.ts'

/** Options for {@link createCircuitBreaker}. */
export interface CircuitBreakerOptions {
  /** Maximum duration of a call in milliseconds, including its time in the queue. */
  readonly timeoutMs: number
  /**
   * Maximum number of pending calls, in flight or queued. At the maximum, the circuit is open. A call that timed out
   * remains pending until it settles.
   */
  readonly maxPending: number
  /**
   * Maximum number of calls in flight. Calls above the maximum are queued.
   *
   * @default `Infinity`
   */
  readonly maxInFlight?: number
  /**
   * Creates an error from a problem such as `did not respond within 100 ms`.
   *
   * @default Creates a `StoreUnavailableError` that begins with `the storage`
   */
  readonly toError?: (problem: string) => Error
  /**
   * Decides whether an error counts as a failure.
   *
   * @default Counts errors that mean an unavailable store
   */
  readonly isFailure?: (error: unknown) => boolean
  /** Called when the fifth consecutive failure opens the circuit, before `onFailure`. */
  readonly onOpen?: (() => void) | undefined
  /** Called with each failure that opens the circuit or occurs while it is open. */
  readonly onFailure?: (error: unknown) => void
  /** Called when a successful call closes the circuit. */
  readonly onClose?: () => void
  /**
   * Clock and timers.
   *
   * @default {@link processTime}
   */
  readonly time?: Time
}

/** Guards calls that can fail or hang. When they keep failing, the circuit opens and calls are rejected immediately. */
export interface CircuitBreaker {
  /** Whether the circuit is open, so that only probes are made. */
  readonly isOpen: boolean
  /** Whether any call has failed since the last success. */
  readonly isFailing: boolean
  /**
   * Returns a function that makes the same call through the circuit breaker. The function never throws: its promise
   * rejects instead.
   */
  wrap<Parameters extends unknown[], Result>(
    call: (...parameters: Parameters) => MaybePromise<Result>,
  ): (...parameters: Parameters) => Promise<Result>
}

/** How many consecutive failures open the circuit. */
const maxFailures = 5
/** Minimum time between two probes, in milliseconds. */
const probeIntervalMs = 1_000

/**
 * Creates a circuit breaker. The circuit opens after five consecutive failures, and while `maxPending` calls are
 * pending. An open circuit lets one call per second through as a probe, and never two at a time. A successful call
 * closes the circuit.
 */
export function createCircuitBreaker(options: CircuitBreakerOptions): CircuitBreaker {
  const { timeoutMs, maxPending, maxInFlight = Infinity, time = processTime } = options
  const { onOpen, onFailure, onClose } = options
  const {
    isFailure = isUnavailableError,
    toError = (problem) => new StoreUnavailableError(`the storage ${problem}`),
  } = options
  const createTimeoutError = () => toError(`did not respond within ${timeoutMs} ms`)
  const limit = createCallLimit(maxInFlight)
  /** Consecutive failures so far. */
  let failures = 0
  let isProbing = false
  let lastProbeAt = -Infinity

  const isFull = () => limit.inFlight + limit.queued >= maxPending
  const isOpen = () => failures >= maxFailures || isFull()

  /** Starts a probe. Throws if another probe is pending, or started less than a second ago. */
  function startProbe(): void {
    const now = time.now()
    if (isProbing || now - lastProbeAt < probeIntervalMs) {
      const reason = isFull() ? `has ${maxPending} pending calls` : 'keeps failing'
      throw toError(`${reason} and is retried once per second`)
    }
    isProbing = true
    lastProbeAt = now
  }

  function recordSuccess(): void {
    const wasOpen = failures >= maxFailures
    failures = 0
    if (wasOpen) onClose?.()
  }

  function recordFailure(error: unknown): void {
    if (!isFailure(error)) return
    failures++
    if (failures === maxFailures) onOpen?.()
    if (failures >= maxFailures) onFailure?.(error)
  }

  /**
   * Makes a call with a timeout. A call that has started continues after its timeout. A queued call that times out is
   * never made.
   */
  function callWithTimeout<Result>(call: () => MaybePromise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      let hasTimedOut = false
      const cancelTimeout = time.wait(timeoutMs, () => {
        hasTimedOut = true
        reject(createTimeoutError())
      })
      const callUnlessTimedOut = () => {
        if (hasTimedOut) throw createTimeoutError()
        return call()
      }
      limit.run(callUnlessTimedOut).finally(cancelTimeout).then(resolve, reject)
    })
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
          const result = await callWithTimeout(() => call(...parameters))
          recordSuccess()
          return result
        } catch (error) {
          recordFailure(error)
          throw error
        } finally {
          if (isProbe) isProbing = false
        }
      },
  }
}
