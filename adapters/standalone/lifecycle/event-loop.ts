import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Sampling interval, in milliseconds. Shorter delays are not measured. */
const resolutionMs = 20

/** Window length in milliseconds. A maximum is reported for one to two windows, so every reader sees it. */
const windowMs = 30_000

export interface EventLoopDelay {
  /** Returns the longest delay in the current and the previous window, in seconds. */
  readMaxSeconds(): number
  close(): void
}

/**
 * Measures the event loop until `close` is called, without keeping the process alive. Returns `undefined` on Deno,
 * which cannot measure.
 */
export function watchEventLoop(): EventLoopDelay | undefined {
  if (process.versions.deno) return undefined
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  let before = 0
  const read = () => Math.max(0, histogram.max / 1e9 - resolutionMs / 1000)
  const timer = setInterval(() => {
    before = read()
    histogram.reset()
  }, windowMs).unref()
  return {
    readMaxSeconds: () => Math.max(before, read()),
    close() {
      clearInterval(timer)
      histogram.disable()
    },
  }
}
