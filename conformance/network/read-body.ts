/** A limit in real time on an operation. */
export interface Deadline {
  /** Rejects at the deadline. */
  readonly passed: Promise<never>
  /** Throws after the deadline, also in a loop that lets no timer fire. */
  check(): void
  /** Cancels the deadline, so that its timer does not keep the process running. */
  clear(): void
}

/** Starts a deadline that passes after a delay in milliseconds. */
export function createDeadline(ms: number): Deadline {
  const late = new Error(`no complete response within ${ms} ms`)
  const end = performance.now() + ms
  let timer: ReturnType<typeof setTimeout> | undefined
  let isPast = false
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isPast = true
      reject(late)
    }, ms)
  })
  passed.catch(() => {})
  return {
    passed,
    check() {
      if (isPast || performance.now() > end) throw late
    },
    clear: () => clearTimeout(timer),
  }
}

/** A body that was read. */
export interface ReadBody {
  readonly bytes: Uint8Array
  /** Set if the body is longer than the bound; `bytes` is empty then. */
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
  if (body === null) return { bytes: new Uint8Array(), truncated: false }
  // one buffer for all, which grows: a body may come in chunks of a byte
  let buffer = new Uint8Array(Math.min(most, 16 * 1024))
  let size = 0
  const reader = body.getReader()
  const cancel = (): void => void reader.cancel().catch(() => {})
  // a pending read then returns the end of the body; a race for each chunk would need a promise for each
  deadline.passed.catch(cancel)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      deadline.check()
      if (done) return { bytes: buffer.slice(0, size), truncated: false }
      const needed = size + value.byteLength
      if (needed > most) return truncatedBody
      if (needed > buffer.byteLength) {
        const smaller = buffer.subarray(0, size)
        buffer = new Uint8Array(Math.min(most, Math.max(needed, 2 * size)))
        buffer.set(smaller)
      }
      buffer.set(value, size)
      size = needed
    }
  } finally {
    cancel()
  }
}
