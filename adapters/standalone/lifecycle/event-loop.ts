import { monitorEventLoopDelay } from 'node:perf_hooks'

/** How often the delay is sampled, in milliseconds. A shorter delay is invisible. */
const resolution = 20

/** How long a maximum counts at the least, in milliseconds; it counts for twice as long at the most. */
const windowMs = 30_000

/** The delays of an event loop, with a maximum that does not depend on how often or by whom it is read. */
export interface EventLoopDelay {
  /** Returns the longest delay of this window and the one before, in seconds. */
  longest(): number
  close(): void
}

/** Watches the event loop until `close`, and keeps no process alive. Undefined on Deno, which measures nothing. */
export function watchEventLoop(): EventLoopDelay | undefined {
  if (process.versions.deno) return undefined
  const histogram = monitorEventLoopDelay({ resolution })
  histogram.enable()
  let before = 0
  const read = () => Math.max(0, histogram.max / 1e9 - resolution / 1000)
  const timer = setInterval(() => {
    before = read()
    histogram.reset()
  }, windowMs).unref()
  return {
    longest: () => Math.max(before, read()),
    close() {
      clearInterval(timer)
      histogram.disable()
    },
  }
}
