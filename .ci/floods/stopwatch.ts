/** Times one client's requests, in milliseconds. */
export interface Stopwatch {
  /** Times a request. Resolves with its result. */
  time<T>(send: () => Promise<T>): Promise<T>
  /** Returns the longest time of a request, the current one included. */
  slowest(): number
}

/**
 * Creates a stopwatch that excludes the time in which the server or this process waits for a core: that time depends on the
 * machine, not on the server. `waits` return how long each process has waited so far, in milliseconds.
 */
export function createStopwatch(...waits: readonly (() => number)[]): Stopwatch {
  const read = () => ({ time: performance.now(), waited: waits.map((wait) => wait()) })
  let longest = 0
  let start: ReturnType<typeof read> | undefined
  function slowest(): number {
    if (!start) return longest
    const before = start
    const now = read()
    const waited = now.waited.map((ms, i) => ms - (before.waited[i] ?? 0))
    return Math.max(longest, now.time - before.time - Math.max(0, ...waited))
  }
  return {
    slowest,
    async time(send) {
      start = read()
      try {
        return await send()
      } finally {
        longest = slowest()
        start = undefined
      }
    },
  }
}
