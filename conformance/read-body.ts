import type { Deadline } from './deadline.ts'

/** A body as far as it was read. */
export interface ReadBody {
  readonly bytes: Uint8Array
  /** Longer than the bound: then nothing of it is kept. */
  readonly truncated: boolean
}

const none = new Uint8Array()
const firstRoom = 16 * 1024

/**
 * Reads a body of at most `most` bytes. It costs at most three times its bytes in memory, however it is cut into
 * chunks. Rejects where it breaks off, or is not whole at the deadline.
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
  // whoever waits for a chunk then gets the end of the body; to race every chunk would cost a promise for each
  deadline.passed.catch(() => {
    isLate = true
    cancel()
  })
  let room = new Uint8Array(Math.min(firstRoom, most))
  let size = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (isLate) await deadline.passed
      deadline.check()
      if (done) return { bytes: room.subarray(0, size), truncated: false }
      if (size + value.byteLength > most) return { bytes: none, truncated: true }
      room = withRoomFor(room, size, size + value.byteLength, most)
      room.set(value, size)
      size += value.byteLength
    }
  } finally {
    cancel()
  }
}

/** The same bytes, in an array at least twice as long where this one is too short. */
function withRoomFor(
  room: Uint8Array<ArrayBuffer>,
  size: number,
  needed: number,
  most: number,
): Uint8Array<ArrayBuffer> {
  if (needed <= room.byteLength) return room
  const larger = new Uint8Array(Math.min(most, Math.max(needed, 2 * room.byteLength)))
  larger.set(room.subarray(0, size))
  return larger
}
