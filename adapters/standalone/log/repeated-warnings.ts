import type { Log } from './log.ts'

/** A part that is gone fails every request: of what is told under one event, so many milliseconds show one line. */
const quietMs = 10_000

export type FaultLog = Pick<Log, 'warning' | 'error'>

/** Passes on the first line of each event, and one every ten seconds, with how many were left out since. */
export function createFaultLog(log: FaultLog, clock: () => number): FaultLog {
  const events = new Map<string, { toldAt: number; leftOut: number }>()

  function sparing(level: 'warning' | 'error'): (event: string, message: string) => void {
    return (event, message) => {
      const now = clock()
      const last = events.get(event)
      if (last && now >= last.toldAt && now < last.toldAt + quietMs) {
        last.leftOut++
        return
      }
      const more = last?.leftOut ? ` (and ${last.leftOut} more like it before)` : ''
      events.set(event, { toldAt: now, leftOut: 0 })
      log[level](event, message + more)
    }
  }

  return { warning: sparing('warning'), error: sparing('error') }
}
