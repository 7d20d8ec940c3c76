/** Bounds the calls that are under way. Further calls wait in the order in which they came. */
export interface Gate {
  /** Returns undefined where a call may begin at once; otherwise a promise that fulfills when it may. */
  enter(): Promise<void> | undefined
  /** Must be called once for each `enter`, when the call is over. */
  leave(): void
}

/**
 * Creates a gate for `maxCalls` at once. Without it, a burst of requests would fill the queue of Redis, where each call waits
 * for all before it. Most requests of a burst need no call: once the first is rejected, the limiter rejects the others of its
 * key by itself. Likewise, writes that wait for a lock would occupy every connection of a pool, which reads could use.
 */
export function createGate(maxCalls: number): Gate {
  let underWay = 0
  const waiting: (() => void)[] = []

  return {
    enter() {
      if (underWay < maxCalls) {
        underWay++
        return undefined
      }
      return new Promise((resolve) => waiting.push(resolve))
    },
    leave() {
      const resume = waiting.shift()
      if (resume) resume()
      else underWay--
    },
  }
}
