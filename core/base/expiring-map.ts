/** Largest step back of the clock that changes no expiry, in milliseconds. */
const toleranceMs = 2_000

/**
 * A map whose entries expire, without timers. When every entry of `previous` has expired, or `current` is full,
 * `previous` is dropped and `current` takes its place, so nothing scans for expired entries. An expired entry may still
 * be found. All times are in milliseconds; a clock that steps back delays no expiry.
 */
export class ExpiringMap<T> {
  readonly #maxSize: number
  #current = new Map<string, T>()
  #previous = new Map<string, T>()
  /** Expiry of the last entry of each map. */
  #currentExpiresAt = 0
  #previousExpiresAt = 0
  #latest = 0

  /** `maxSize` bounds each of the two maps; unbounded by default. */
  constructor(maxSize: number = Infinity) {
    this.#maxSize = maxSize
  }

  get size(): number {
    return this.#current.size + this.#previous.size
  }

  get(name: string): T | undefined {
    return this.#current.get(name) ?? this.#previous.get(name)
  }

  /** Stores a value at `now`, at least until `expiresAt` unless the map is full before. */
  set(name: string, value: T, now: number, expiresAt: number): void {
    this.expire(now)
    if (this.#current.size >= this.#maxSize) this.#rotate()
    this.#current.set(name, value)
    this.#previous.delete(name)
    this.#currentExpiresAt = Math.max(this.#currentExpiresAt, expiresAt)
  }

  delete(name: string): void {
    this.#current.delete(name)
    this.#previous.delete(name)
  }

  /** Drops entries that have expired at `now`. */
  expire(now: number): void {
    if (now < this.#latest - toleranceMs) {
      this.#currentExpiresAt -= this.#latest - now
      this.#previousExpiresAt -= this.#latest - now
    } else if (now < this.#latest) return
    this.#latest = now
    if (this.#previousExpiresAt <= now && this.size > 0) this.#rotate()
  }

  #rotate(): void {
    this.#previous = this.#current
    this.#previousExpiresAt = this.#currentExpiresAt
    this.#current = new Map()
    this.#currentExpiresAt = 0
  }
}
