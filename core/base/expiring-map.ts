/**
 * A map whose entries expire, without timers. When every entry of `previous` has expired, or `current` is full,
 * `previous` is dropped and `current` takes its place, so nothing scans for expired entries. An expired entry may still
 * be found.
 */
export class ExpiringMap<T> {
  readonly #maxSize: number
  #current = new Map<string, T>()
  #previous = this.#current
  /** Times at which the last entry of each map expires. */
  #currentExpiresAt = 0
  #previousExpiresAt = 0

  /** `maxSize` bounds each of the two maps; unbounded by default. */
  constructor(maxSize: number = Number.POSITIVE_INFINITY) {
    this.#maxSize = maxSize
  }

  get(name: string): T | undefined {
    return this.#current.get(name) ?? this.#previous.get(name)
  }

  /** Stores a value at `now`, at least until `expiresAt` unless the map is full before. Times are in milliseconds. */
  set(name: string, value: T, now: number, expiresAt: number): void {
    if (this.#previousExpiresAt <= now || this.#current.size >= this.#maxSize) {
      this.#previous = this.#current
      this.#previousExpiresAt = this.#currentExpiresAt
      this.#current = new Map()
      this.#currentExpiresAt = 0
    }
    this.#current.set(name, value)
    this.#currentExpiresAt = Math.max(this.#currentExpiresAt, expiresAt)
  }

  delete(name: string): void {
    this.#current.delete(name)
    this.#previous.delete(name)
  }
}
