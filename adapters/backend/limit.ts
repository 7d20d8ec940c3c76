import type { MaybePromise } from '../../core/index.ts'

/** Limits the number of calls in flight. */
export interface CallLimit {
  readonly inFlight: number
  readonly queued: number
  /** Makes a call. At the maximum, the call waits in a queue first. */
  run<Result>(call: () => MaybePromise<Result>): Promise<Result>
}

/** Creates a limit for the number of calls in flight. Queued calls are made in their original order. */
export function createCallLimit(maxInFlight: number): CallLimit {
  const queue: (() => void)[] = []
  let inFlight = 0
  return {
    get inFlight() {
      return inFlight
    },
    get queued() {
      return queue.length
    },
    async run(call) {
      if (inFlight < maxInFlight) inFlight++
      else await new Promise<void>((resolve) => queue.push(resolve))
      try {
        return await call()
      } finally {
        const next = queue.shift()
        if (next)
          next() // the queued call takes the free slot
        else inFlight--
      }
    },
  }
}
