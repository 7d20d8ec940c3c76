import { setImmediate } from 'node:timers/promises'
import { epoch } from '../../../core/testing/traffic.ts'

/** A clock that stands still until everything waits for it. */
export interface FakeTime {
  readonly clock: () => number
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Milliseconds since the start. */
  readonly elapsed: () => number
  /** Resolves as the work does, and advances the clock to the next timer whenever the work waits for it. */
  run<T>(work: Promise<T>): Promise<T>
}

/** The rounds of the event loop after which work that is under way waits for the clock. */
const rounds = 8

export function createFakeTime(): FakeTime {
  let now = epoch
  const timers = new Map<() => void, number>()
  return {
    clock: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        timers.set(resolve, now + ms)
        signal?.addEventListener('abort', () => timers.delete(resolve))
      }),
    elapsed: () => now - epoch,
    async run(work) {
      let isDone = false
      const done = () => {
        isDone = true
      }
      work.then(done, done)
      while (!isDone) {
        for (let i = 0; i < rounds; i++) await setImmediate()
        const next = [...timers].reduce<[() => void, number] | undefined>(
          (first, timer) => (first && first[1] <= timer[1] ? first : timer),
          undefined,
        )
        if (isDone || !next) continue
        now = Math.max(now, next[1])
        timers.delete(next[0])
        next[0]()
      }
      return work
    },
  }
}
