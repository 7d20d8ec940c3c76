import { setImmediate } from 'node:timers/promises'
import { epoch } from '../../../core/testing/traffic.ts'

/** Number of rounds of the event loop until pending work waits for the clock. */
const rounds = 8

/** A clock that stands still until everything waits for it. Times are in milliseconds. */
export class FakeTime {
  #now: number = epoch
  readonly #timers = new Map<() => void, number>()

  readonly clock = (): number => this.#now
  /** The time since the start. */
  readonly elapsed = (): number => this.#now - epoch
  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      this.#timers.set(resolve, this.#now + ms)
      signal?.addEventListener('abort', () => this.#timers.delete(resolve))
    })

  /** Resolves as the work does, and advances the clock to the next timer whenever the work waits for it. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isDone = false
    const done = () => {
      isDone = true
    }
    work.then(done, done)
    while (!isDone) {
      for (let i = 0; i < rounds; i++) await setImmediate()
      const [next] = [...this.#timers].sort(([, a], [, b]) => a - b)
      if (isDone || !next) continue
      this.#now = Math.max(this.#now, next[1])
      this.#timers.delete(next[0])
      next[0]()
    }
    return work
  }
}
