/** How many calls of Redis one limiter has under way at once. */
const maxCalls = 128

/** Bounds the calls that are under way. The others wait here, in the order in which they came. */
export interface Gate {
  /** Undefined where a call may begin at once; else a promise that fulfills when it may. */
  enter(): Promise<void> | undefined
  /** Must follow each `enter`, when the call is over. */
  leave(): void
}

/**
 * Keeps a burst of requests from filling Redis's own queue, where each call would wait for all before it. Most of a burst
 * needs no call in the end: once the first is rejected, the limiter rejects the others of its key by itself.
 */
export function createGate(): Gate {
  let underWay = 0
  let waiting: (() => void)[] = []
  /** The index of the next; those before it are gone. */
  let first = 0

  function next(): (() => void) | undefined {
    const resume = waiting[first++]
    if (first * 2 < waiting.length) return resume
    waiting = waiting.slice(first)
    first = 0
    return resume
  }

  return {
    enter() {
      if (underWay < maxCalls) {
        underWay++
        return undefined
      }
      return new Promise((resolve) => waiting.push(resolve))
    },
    leave() {
      const resume = next()
      if (resume) resume()
      else underWay--
    },
  }
}
