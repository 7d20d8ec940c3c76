/** Backward clock steps up to this length are ignored. */
const clockToleranceMs = 2_000

/**
 * A map whose entries expire, without timers. Entries belong to two generations. When every entry in the previous
 * generation has expired, or the current generation is full, the previous generation is dropped and the current one
 * takes its place. Until then, the map may still return an expired entry. All times are in milliseconds.
 */
export class ExpiringMap<T> {
  readonly #maxSize: number
  #current = new Map<string, T>()
  #previous = new Map<string, T>()
  /** Time when the last entry in the generation expires. */
  #currentExpiresAt = 0
  #previousExpiresAt = 0
  #latestNow = 0

  /** @param maxSize - Maximum entries in each generation. Unlimited by default. */
  constructor(maxSize: number = Infinity) {
    this.#maxSize = maxSize
  }

  get size(): number {
    return this.#current.size + this.#previous.size
  }

  get(name: string): T | undefined {
    return this.#current.get(name) ?? this.#previous.get(name)
  }

  /** Adds or replaces an entry. The map keeps it until `expiresAt`, or until it is full. */
  set(name: string, value: T, now: number, expiresAt: number): void {
    this.expire(now)
    if (this.#current.size >= this.#maxSize && !this.#current.has(name)) this.#rotate()
    this.#current.set(name, value)
    this.#previous.delete(name)
    this.#currentExpiresAt = Math.max(this.#currentExpiresAt, expiresAt)
  }

  delete(name: string): void {
    this.#current.delete(name)
    this.#previous.delete(name)
  }

  /**
   * Drops the previous generation if all its entries have expired. If the clock was set back by more than 2 s, expiry
   * times move back with it.
   */
  expire(now: number): void {
    if (now < this.#latestNow - clockToleranceMs) {
      this.#currentExpiresAt -= this.#latestNow - now
      this.#previousExpiresAt -= this.#latestNow - now
    } else if (now < this.#latestNow) return
    this.#latestNow = now
    if (this.#previousExpiresAt <= now && this.size > 0) this.#rotate()
  }

  #rotate(): void {
    this.#previous = this.#current
    this.#previousExpiresAt = this.#currentExpiresAt
    this.#current = new Map()
    this.#currentExpiresAt = 0
  }
}
