import { BoundedBytes } from './bounded-bytes.ts'
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
