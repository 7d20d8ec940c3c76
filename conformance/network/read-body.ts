/** The deadline of one exchange. */
export interface Deadline {
  /** Rejects when the deadline passes. */
  readonly passed: Promise<never>
  /** Throws if the deadline has passed, even in a loop that lets no timer fire. */
  throwIfPassed(): void
  /** Stops the timer, which would keep the process running. */
  clear(): void
}

/** Creates a deadline `ms` milliseconds from now. */
export function createDeadline(ms: number): Deadline {
  const createError = (): Error => new Error(`no complete response within ${ms} ms`)
  const endsAt = performance.now() + ms
  let timer: ReturnType<typeof setTimeout> | undefined
  let isPast = false
  const deadlinePassed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isPast = true
      reject(createError())
    }, ms)
  })
  deadlinePassed.catch(() => {})
  return {
    passed: deadlinePassed,
    throwIfPassed() {
      if (isPast || performance.now() > endsAt) throw createError()
    },
    clear: () => clearTimeout(timer),
  }
}

/** A response body's bytes. */
export interface BodyBytes {
  readonly bytes: Uint8Array
  /** Whether the body exceeded the size limit. The array `bytes` is empty then. */
  readonly truncated: boolean
}

export const truncatedBody: BodyBytes = { bytes: new Uint8Array(), truncated: true }

/**
 * Reads a body of at most `maxBytes`. A larger body is truncated. Rejects if the body is incomplete at the deadline, or
 * the connection breaks.
 */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  deadline: Deadline,
): Promise<BodyBytes> {
  if (body === null) return { bytes: new Uint8Array(), truncated: false }
  // A single buffer grows, as a body may arrive in 1-byte chunks.
  let buffer = new Uint8Array()
  let size = 0
  const reader = body.getReader()
  const cancel = (): void => void reader.cancel().catch(() => {})
  // At the deadline, the reader is cancelled, which ends a pending read. `Promise.race` would need a promise per chunk.
  deadline.passed.catch(cancel)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      deadline.throwIfPassed()
      if (done) return { bytes: buffer.slice(0, size), truncated: false }
      const neededBytes = size + value.byteLength
      if (neededBytes > maxBytes) return truncatedBody
      if (neededBytes > buffer.byteLength) {
        const readBytes = buffer.subarray(0, size)
        buffer = new Uint8Array(Math.min(maxBytes, Math.max(neededBytes, 2 * size)))
        buffer.set(readBytes)
      }
      buffer.set(value, size)
      size = neededBytes
    }
  } finally {
    cancel()
  }
}
