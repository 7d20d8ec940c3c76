import type { Log } from './log.ts'

/** How long the log has one line of an event, in milliseconds: a part that is gone fails every request. */
const quietMs = 10_000

export type ThrottledLog = Pick<Log, 'info' | 'warning' | 'error'>

/** Passes on the first line of each event, then one every ten seconds with the number of lines left out since. */
export function createThrottledLog(log: ThrottledLog, clock: () => number): ThrottledLog {
  const events = new Map<string, { readonly at: number; leftOut: number }>()

  function throttled(write: Log['error']): Log['error'] {
    return (event, message, context) => {
      const now = clock()
      const last = events.get(event)
      if (last && now >= last.at && now < last.at + quietMs) {
        last.leftOut++
        return
      }
      events.set(event, { at: now, leftOut: 0 })
      write(event, last?.leftOut ? `${message} (and ${last.leftOut} more like it before)` : message, context)
    }
  }

  return { info: log.info, warning: throttled(log.warning), error: throttled(log.error) }
}
