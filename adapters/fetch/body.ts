import { BodyError } from '../../core/index.ts'
import { MisuseError } from '../../core/internal.ts'
import { waitForEndOfTurn } from '../event-loop/index.ts'
import { canShareTurns } from './platform.ts'

/**
 * Reads a request body. Rejects with a `BodyError` if the body is longer than `maxBytes`, is incomplete, or takes
 * longer than `timeoutMs`. Not every runtime has such limits.
 */
export async function readBody(request: Request, maxBytes: number, timeoutMs: number): Promise<Uint8Array> {
  const declaredLength = request.headers.get('content-length')
  if (declaredLength === '0' || (declaredLength === null && !request.body)) return new Uint8Array()
  if (request.bodyUsed) throw createAlreadyReadError()
  if (declaredLength === null || Number(declaredLength) > maxBytes)
    return readChunks(request, maxBytes, timeoutMs)
  // The runtime enforces the declared length, and reads a whole body faster than its chunks (-30 % createPet on Deno).
  try {
    return new Uint8Array(await withTimeout(request.arrayBuffer(), timeoutMs))
  } catch (cause) {
    if (cause instanceof BodyError) throw cause
    throw request.bodyUsed ? new BodyError('invalid_request', { cause }) : createAlreadyReadError()
  }
}

async function readChunks(request: Request, maxBytes: number, timeoutMs: number): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array()
  if (request.body.locked) throw createAlreadyReadError()
  const reader = request.body.getReader()
  try {
    // One timeout covers the whole body.
    return await withTimeout(collectChunks(reader, maxBytes), timeoutMs)
  } catch (cause) {
    reader.cancel().catch(() => {})
    throw cause
  }
}

/**
 * Rejects with a `BodyError` if work takes longer than `timeoutMs`. Work that ends within this event loop turn sets no
 * timer.
 */
async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let done: { readonly value: T } | undefined
  work.then(
    (value) => {
      done = { value }
    },
    () => {},
  )
  if (canShareTurns) await waitForEndOfTurn()
  if (done) return done.value
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new BodyError('request_timeout')), timeoutMs)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}

/**
 * Copies all chunks into one buffer, which doubles when it is full. An array with one-byte chunks would take 400 times
 * the body's memory.
 */
async function collectChunks(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> {
  let buffer = new Uint8Array()
  let size = 0
  for (;;) {
    const { done, value } = await reader.read().catch(throwIncompleteBody)
    if (done) return buffer.subarray(0, size)
    const endOffset = size + value.length
    if (endOffset > maxBytes) throw new BodyError('body_too_large')
    if (endOffset > buffer.length) {
      const largerBuffer = new Uint8Array(Math.max(endOffset, Math.min(2 * buffer.length, maxBytes)))
      largerBuffer.set(buffer.subarray(0, size))
      buffer = largerBuffer
    }
    buffer.set(value, size)
    size = endOffset
  }
}

function createAlreadyReadError(): Error {
  return new MisuseError(
    'The body has been read already. Pass the request to the service before anything reads its body.',
  )
}

function throwIncompleteBody(cause: unknown): never {
  throw new BodyError('invalid_request', { cause })
}
