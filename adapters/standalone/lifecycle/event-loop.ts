import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'

/** How often the delay is sampled, in milliseconds. A shorter delay is invisible. */
const resolution = 20

/** How long a maximum counts at the least, in milliseconds; it counts for twice as long at the most. */
const windowMs = 30_000

/** The delays of an event loop, with a maximum that does not depend on how often or by whom it is read. */
export interface EventLoopDelay {
  /** Returns the longest delay of this window and the one before, in seconds. */
  longest(): number
  /** Begins the next window. */
  rotate(): void
  close(): void
}

/**
 * Watches the event loop of the process until `close`, and keeps no process alive. Undefined where the runtime cannot.
 *
 * @param histogram - Has the time between two samples, in nanoseconds.
 */
export function watchEventLoop(
  histogram: Pick<IntervalHistogram, 'max' | 'reset' | 'disable'> | undefined = startHistogram(),
): EventLoopDelay | undefined {
  if (!histogram) return undefined
  let before = 0
  const read = () => Math.max(0, histogram.max / 1e9 - resolution / 1000)
  const rotate = () => {
    before = read()
    histogram.reset()
  }
  const timer = setInterval(rotate, windowMs).unref()
  return {
    longest: () => Math.max(before, read()),
    rotate,
    close() {
      clearInterval(timer)
      histogram.disable()
    },
  }
}

/** Deno has the function, but measures nothing. */
function startHistogram(): IntervalHistogram | undefined {
  if (process.versions.deno) return undefined
  const histogram = monitorEventLoopDelay({ resolution })
  histogram.enable()
  return histogram
}
