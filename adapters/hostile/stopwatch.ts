/** Times one client's requests, in milliseconds. */
export interface Stopwatch {
  /** Sends a request, and returns what it returns. */
  time<T>(send: () => Promise<T>): Promise<T>
  /** The longest time that a request took, or has taken so far. */
  slowest(): number
}

export function createStopwatch(): Stopwatch {
  let longest = 0
  let since: number | undefined
  const slowest = () => Math.max(longest, since === undefined ? 0 : performance.now() - since)
  return {
    slowest,
    async time(send) {
      since = performance.now()
      try {
        return await send()
      } finally {
        longest = slowest()
        since = undefined
      }
    },
  }
}
