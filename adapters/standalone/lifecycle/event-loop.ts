import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Sampling interval of the delay, in milliseconds. A shorter delay is invisible. */
const resolution = 20

/** Length of a window, in milliseconds. A maximum counts for one to two windows. */
const windowMs = 30_000

/** The delays of an event loop, with a maximum that is the same for every reader. */
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
