/** The size of the first buffer, in bytes. */
const firstSize = 16 * 1024

/** Collects bytes up to a bound. Needs at most three times their number in memory, whatever the size of the chunks. */
export class BoundedBytes {
  readonly #most: number
  #buffer: Uint8Array<ArrayBuffer>
  #size = 0

  /** @param most The most bytes to collect. */
  constructor(most: number) {
    this.#most = most
    this.#buffer = new Uint8Array(Math.min(firstSize, most))
  }

  /** Adds a chunk. Returns `false`, and adds nothing, if there would be more bytes than the bound. */
  add(chunk: Uint8Array): boolean {
    const needed = this.#size + chunk.byteLength
    if (needed > this.#most) return false
    if (needed > this.#buffer.byteLength) {
      const larger = new Uint8Array(Math.min(this.#most, Math.max(needed, 2 * this.#buffer.byteLength)))
      larger.set(this.#buffer.subarray(0, this.#size))
      this.#buffer = larger
    }
    this.#buffer.set(chunk, this.#size)
    this.#size = needed
    return true
  }

  /** The bytes so far; a view, which later chunks may change. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#size)
  }
}
