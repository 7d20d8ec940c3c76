import type { ErrorContext } from '../../../core/index.ts'
import type { Log } from './log.ts'

/** How long the log has one line of an event, in milliseconds: a part that is gone fails every request. */
const quietMs = 10_000

export type ThrottledLog = Pick<Log, 'info' | 'warning' | 'error'>

/** What was logged of an event. */
interface Logged {
  at: number
  leftOut: number
  /** Whether a line was logged since the event last ended. */
  isTold: boolean
  /** Logs the first line that was left out since then. */
  tell: (() => void) | undefined
}

/**
 * Passes on the first line of each event, then one every ten seconds with the number of lines left out since. An information
 * ends its event: if nothing was told of it, because the one before was recent, it is told then.
 */
export function createThrottledLog(log: ThrottledLog, clock: () => number): ThrottledLog {
  const events = new Map<string, Logged>()

  /** Logs a line, unless the event is quiet. */
  function throttle(event: string, message: string, write: (message: string) => void): void {
    const now = clock()
    const last = events.get(event)
    if (last && now >= last.at && now < last.at + quietMs) {
      last.leftOut++
      if (!last.isTold) last.tell ??= () => write(message)
      return
    }
    events.set(event, { at: now, leftOut: 0, isTold: true, tell: undefined })
    write(last?.leftOut ? `${message} (and ${last.leftOut} more like it before)` : message)
  }

  return {
    info(event, message) {
      const last = events.get(event)
      last?.tell?.()
      if (last) Object.assign(last, { isTold: false, tell: undefined })
      log.info(event, message)
    },
    warning: (event, message) => throttle(event, message, (text) => log.warning(event, text)),
    error: (event, message, context?: ErrorContext) =>
      throttle(event, message, (text) => log.error(event, text, context)),
  }
}
