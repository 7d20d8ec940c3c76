import type { Deadline } from './deadline.ts'

/** A body that was read. */
export interface ReadBody {
  readonly bytes: Uint8Array
  /** Whether the body is longer than the bound; `bytes` is empty then. */
  readonly truncated: boolean
}

const none = new Uint8Array()
/** The size of the first buffer, in bytes. */
const firstSize = 16 * 1024

/**
 * Reads a body of at most `most` bytes. Needs at most three times its bytes in memory, whatever the size of its chunks.
 * Rejects if the body breaks off, or is incomplete at the deadline.
 */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  deadline: Deadline,
): Promise<ReadBody> {
  if (body === null) return { bytes: none, truncated: false }
  const reader = body.getReader()
  const cancel = (): void => void reader.cancel().catch(() => {})
  let isLate = false
  // a pending read then returns the end of the body; a race for each chunk would need a promise for each
  deadline.passed.catch(() => {
    isLate = true
    cancel()
  })
  let buffer = new Uint8Array(Math.min(firstSize, most))
  let size = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (isLate) await deadline.passed
      deadline.check()
      if (done) return { bytes: buffer.subarray(0, size), truncated: false }
      if (size + value.byteLength > most) return { bytes: none, truncated: true }
      buffer = grown(buffer, size, size + value.byteLength, most)
      buffer.set(value, size)
      size += value.byteLength
    }
  } finally {
    cancel()
  }
}

/** Returns the buffer, or a copy of at least twice its size if it is too short. */
function grown(
  buffer: Uint8Array<ArrayBuffer>,
  size: number,
  needed: number,
  most: number,
): Uint8Array<ArrayBuffer> {
  if (needed <= buffer.byteLength) return buffer
  const larger = new Uint8Array(Math.min(most, Math.max(needed, 2 * buffer.byteLength)))
  larger.set(buffer.subarray(0, size))
  return larger
}
