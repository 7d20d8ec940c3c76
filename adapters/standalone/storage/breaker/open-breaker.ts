import { explain } from '../../errors.ts'
import type { Log } from '../../log/log.ts'
import { createStorageBreaker, type LaneSettings, type StorageBreaker } from './storage-breaker.ts'

/** Creates a breaker by the clock and the timers of this process, which logs when the storage fails and when it has recovered. */
export function openBreaker(lanes: LaneSettings, log: Pick<Log, 'warning' | 'info'>): StorageBreaker {
  return createStorageBreaker({
    lanes,
    onFault(cause) {
      log.warning(
        'store',
        `the storage fails, and requests that need it are rejected at once: ${explain(cause, false)}`,
      )
    },
    onRecover: () => log.info('store', 'the storage works again'),
    clock: () => performance.now(),
    schedule(ms, callback) {
      const timer = setTimeout(callback, ms).unref()
      return () => clearTimeout(timer)
    },
  })
}
