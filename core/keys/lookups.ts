import { Generations } from '../base/generations.ts'

/** How many unseen keys of one address are looked up at once: those of all clients that reconnect through one proxy. */
const atOnce = 1_000
/** How long no key of an address is looked up after a rejected guess, in milliseconds. */
const rejectedForMs = 1_000
/** How long after a rejected guess an address has one look-up at a time. */
const suspectForMs = 60_000
/** About 1 MB. Beyond it, an address has more guesses looked up. */
const maxRejected = 10_000

/**
 * Decides when unseen keys are looked up: those that were not valid within the last hour. Nothing that other addresses
 * do delays or denies the look-ups of one. How many there are in all, only the key store bounds.
 */
export class Lookups {
  /** How many look-ups of each address are under way. */
  readonly #underWay = new Map<string, number>()
  /** When the last guess of an address was rejected. */
  readonly #rejectedAt = new Generations<number>(maxRejected)

  /**
   * Begins the look-up of an unseen key from an address at `now`, in ms since the epoch. Returns false if the address
   * must be charged first; otherwise `end` must be called once.
   */
  begin(address: string, now: number): boolean {
    const count = this.#underWay.get(address) ?? 0
    const sinceMs = Math.abs(now - (this.#rejectedAt.get(address) ?? Number.NEGATIVE_INFINITY)) // a clock may step back
    if (sinceMs < rejectedForMs || count >= (sinceMs < suspectForMs ? 1 : atOnce)) return false
    this.#underWay.set(address, count + 1)
    return true
  }

  end(address: string): void {
    const count = this.#underWay.get(address) ?? 0
    if (count > 1) this.#underWay.set(address, count - 1)
    else this.#underWay.delete(address)
  }

  /** Records that the guess of an address was rejected at `now`. For a second, its keys are not looked up. */
  reject(address: string, now: number): void {
    this.#rejectedAt.add(address, now, now, now + suspectForMs)
  }
}
