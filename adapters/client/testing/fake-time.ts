import { setImmediate } from 'node:timers/promises'
import { testStartMs } from '../../../core/testing/test-clock.ts'

/** How many event loop turns pending work gets before the time moves on. */
const settleRounds = 8

/** A clock that stops while work is pending, and jumps to the next timer. All times are in milliseconds. */
export class FakeTime {
  #now: number = testStartMs
  readonly #timers = new Map<() => void, number>()

  readonly clock = (): number => this.#now
  /** Returns the time since the test began. */
  readonly elapsed = (): number => this.#now - testStartMs
  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      this.#timers.set(resolve, this.#now + ms)
      signal?.addEventListener('abort', () => this.#timers.delete(resolve))
    })

  /** Moves the time forward until `work` settles. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isDone = false
    const markDone = () => {
      isDone = true
    }
    work.then(markDone, markDone)
    while (!isDone) {
      for (let i = 0; i < settleRounds; i++) await setImmediate()
      const [next] = [...this.#timers].sort(([, a], [, b]) => a - b)
      if (isDone || !next) continue
      this.#now = Math.max(this.#now, next[1])
      this.#timers.delete(next[0])
      next[0]()
    }
    return work
  }
}
