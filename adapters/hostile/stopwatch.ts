/** Times one client's requests, in milliseconds. */
export interface Stopwatch {
  /** Sends a request, and returns what it returns. */
  time<T>(send: () => Promise<T>): Promise<T>
  /** The longest time that a request took, or has taken so far. */
  slowest(): number
}

/**
 * A stopwatch that stands while another process has the core that the server or this process waits for: on a busy
 * machine that says nothing of the server. `waits` return how long each has waited so far, in milliseconds.
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
