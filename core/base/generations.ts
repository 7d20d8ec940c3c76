/**
 * Values by name, without timers: those that were added last. There are two generations: once all values of the older
 * one have ended, or the younger one is full, the older one is dropped and the younger one ages. So no call searches
 * for what has ended.
 */
export class Generations<T> {
  readonly #perGeneration: number
  #younger = new Map<string, T>()
  #older = this.#younger
  /** When the last value of each generation ends. */
  #youngerEnds = 0
  #olderEnds = 0

  constructor(perGeneration: number = Number.POSITIVE_INFINITY) {
    this.#perGeneration = perGeneration
  }

  get(name: string): T | undefined {
    return this.#younger.get(name) ?? this.#older.get(name)
  }

  /** Stores a value at `now` until `endsAt` (ms) or later, unless the next generation is full before. */
  add(name: string, value: T, now: number, endsAt: number): void {
    if (this.#olderEnds <= now || this.#younger.size >= this.#perGeneration) {
      this.#older = this.#younger
      this.#olderEnds = this.#youngerEnds
      this.#younger = new Map()
      this.#youngerEnds = 0
    }
    this.#younger.set(name, value)
    this.#youngerEnds = Math.max(this.#youngerEnds, endsAt)
  }

  delete(name: string): void {
    this.#younger.delete(name)
    this.#older.delete(name)
  }
}
