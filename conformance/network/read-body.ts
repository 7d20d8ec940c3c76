import type { Deadline } from './deadline.ts'

/** A body that was read. */
export interface ReadBody {
  readonly bytes: Uint8Array
  /** Whether the body is longer than the bound; `bytes` is empty then. */
  readonly truncated: boolean
}

/** A body that is longer than the bound. */
export const truncatedBody: ReadBody = { bytes: new Uint8Array(), truncated: true }

/** Reads a body of at most `most` bytes. Rejects if the body breaks off, or is incomplete at the deadline. */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  deadline: Deadline,
): Promise<ReadBody> {
  const collected = new BoundedBytes(most)
  if (body === null) return { bytes: collected.bytes, truncated: false }
  const reader = body.getReader()
  const cancel = (): void => void reader.cancel().catch(() => {})
  let isLate = false
  // a pending read then returns the end of the body; a race for each chunk would need a promise for each
  deadline.passed.catch(() => {
    isLate = true
    cancel()
  })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (isLate) await deadline.passed
      deadline.check()
      if (done) return { bytes: collected.bytes, truncated: false }
      if (!collected.add(value)) return truncatedBody
    }
  } finally {
    cancel()
  }
}

/** The size of the first buffer, in bytes. */
const firstSize = 16 * 1024

/** Collects bytes up to a bound. Needs at most three times their number in memory, whatever the size of the chunks. */
export class BoundedBytes {
  readonly #most: number
  #buffer: Uint8Array
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
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#size)
  }
}
