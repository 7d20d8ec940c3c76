import { type CircuitBreaker, createCircuitBreaker } from '../../circuit-breaker/index.ts'
import { createTimeout, processTime, type Time } from '../../circuit-breaker/timeout.ts'
import { catchError, explain } from '../errors.ts'
import type { OpenStorage, StorageHealth, StorageLog } from './open-storage.ts'

/** Checks of a storage. Both throw or reject if it fails, and store nothing. */
export interface StorageChecks {
  reads(): unknown
  /** @param isFailing - True if writes fail. The check must then need all that a write needs: its success closes the circuit. */
  writes(isFailing: boolean): unknown
}

/** The circuit breakers of a storage, and its health. */
export interface StorageBreakers extends Pick<OpenStorage, 'check'> {
  readonly reads: CircuitBreaker
  readonly writes: CircuitBreaker
}

/** Maximum number of pending calls of a kind: one for each connection of a client. */
export const maxPending = 2_500

/** Maximum time a check waits for the storage, and how long its result is cached, in milliseconds. */
const [checkMs, freshMs] = [1_800, 900]

/**
 * Creates the circuit breakers of a storage. Logs when the first one opens and when all are closed again.
 *
 * @param timeoutMs - Maximum time of a call, in milliseconds.
 * @param options - `onOpen` is called when a circuit opens; `time` is the clock and the timer, for tests.
 */
export function createStorageBreakers(
  timeoutMs: number,
  checks: StorageChecks,
  log: StorageLog,
  { onOpen, time = processTime }: { readonly onOpen?: () => void; readonly time?: Time } = {},
): StorageBreakers {
  const open = new Set<keyof StorageChecks>()
  let last: Promise<StorageHealth> | undefined
  /** The end of the last check; infinite while one is in flight. */
  let checkedAt = Infinity

  function createBreaker(kind: keyof StorageChecks): CircuitBreaker {
    return createCircuitBreaker({
      timeoutMs,
      maxPending,
      time,
      onOpen(error) {
        open.add(kind)
        const problem = 'the storage fails, and requests that need it are rejected immediately'
        log.warning('store', `${problem}: ${explain(error, false)}`)
        onOpen?.()
      },
      onClose() {
        open.delete(kind)
        if (open.size === 0) log.info('store', 'the storage works again')
      },
    })
  }

  const breakers = { reads: createBreaker('reads'), writes: createBreaker('writes') }
  const withTimeout = createTimeout(checkMs, time)
  const lateError = () => new Error(`the storage did not respond within ${checkMs} ms`)

  /** Makes a call like any other, with a shorter timeout. */
  const check = (kind: keyof StorageChecks) =>
    withTimeout(async () => breakers[kind].wrap(() => checks[kind](breakers[kind].isFailing))(), lateError)

  async function checkBoth(): Promise<StorageHealth> {
    const failures = [catchError(() => check('reads')), catchError(() => check('writes'))]
    const [readFailure, writeFailure] = await Promise.all(failures)
    checkedAt = time.now()
    return { readFailure, writeFailure }
  }

  return {
    ...breakers,
    check() {
      if (last && time.now() - checkedAt < freshMs) return last
      checkedAt = Infinity
      last = checkBoth()
      return last
    },
  }
}
