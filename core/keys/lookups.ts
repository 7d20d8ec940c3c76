import { createRecent } from '../base/generations.ts'
import type { ApiError } from '../http/errors.ts'

/** How long no key of an address is looked up after a rejected guess, in milliseconds. */
const rejectedForMs = 1_000
/** About 1 MB. Beyond it, an address has one more guess looked up. */
const maxRejected = 10_000

/**
 * Decides when unseen keys are looked up: those that were not valid within the last hour. Each address has look-ups of its
 * own, and nothing that other addresses do delays or denies them. How many there are in all, only the key store bounds.
 */
export interface Lookups {
  /**
   * Begins the look-up of an unseen key from an address at `now`, in ms since the epoch. Returns true if it may begin, and
   * `end` must be called once; false if the address must be charged first. Otherwise the caller has to wait: the promise
   * fulfills with the error of a failed look-up that it waited for, or with undefined when it must ask again.
   *
   * A guess is charged before the next unseen key of its address is looked up, so guesses that come together are as many
   * as those that follow each other. Each valid key lets one more be looked up at once, until the next guess.
   */
  begin(address: string, now: number): boolean | Promise<ApiError | undefined>
  /** Ends a look-up: its key is valid (true), it was a guess that is charged (false), or it has failed. */
  end(address: string, result: boolean | ApiError): void
  /** Records that the guess of an address was rejected at `now`. For a second, its keys are not looked up. */
  reject(address: string, now: number): void
}

/** The unseen keys of one address. */
interface Queue {
  underWay: number
  /** How many may be under way. */
  places: number
  readonly waiting: ((failure?: ApiError) => void)[]
}

/** Creates an empty record of look-ups, without timers. */
export function createLookups(): Lookups {
  /** The addresses that have look-ups under way: no more than there are requests. */
  const queues = new Map<string, Queue>()
  /** The addresses whose last guess was rejected. */
  const rejected = createRecent(rejectedForMs, maxRejected)

  /** Lets a request ask again, and then the next one, since the first may need no place. */
  function resume(address: string): void {
    const queue = queues.get(address)
    if (!queue || queue.underWay >= queue.places) return
    const next = queue.waiting.shift()
    if (next) Promise.resolve(next()).then(() => resume(address))
    else if (queue.underWay === 0) queues.delete(address)
  }

  return {
    begin(address, now) {
      if (rejected.has(address, now)) return false
      const queue = queues.get(address) ?? { underWay: 0, places: 1, waiting: [] }
      if (queue.underWay >= queue.places) return new Promise((resolve) => queue.waiting.push(resolve))
      queue.underWay++
      queues.set(address, queue)
      return true
    },
    end(address, result) {
      const queue = queues.get(address) as Queue // `begin` has returned true
      queue.underWay--
      queue.places = result === true ? queue.places + 1 : 1
      if (typeof result === 'object') for (const fail of queue.waiting.splice(0)) fail(result)
      resume(address)
    },
    reject: rejected.add,
  }
}
