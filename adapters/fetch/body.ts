import { BodyFailure } from '../../core/index.ts'
import { Misuse } from '../../core/internal.ts'

/**
 * Reads a body, bounded in size and in time, since not every platform bounds it. Rejects with `BodyFailure` when the body is
 * longer than `maxBytes`, takes longer than `timeoutMs` or is incomplete.
 */
export async function readBody(request: Request, maxBytes: number, timeoutMs: number): Promise<Uint8Array> {
  const declared = request.headers.get('content-length')
  if (declared === '0' || (declared === null && !request.body)) return new Uint8Array()
  if (request.bodyUsed) throw readAlready()
  const read = declared !== null && Number(declared) <= maxBytes ? readWhole : readInParts
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs)
  })
  try {
    return await read(request, maxBytes, late)
  } finally {
    clearTimeout(timer)
  }
}

/** Reads a body whose length is declared and enforced by the platform: in a third of the time that its parts take. */
async function readWhole(request: Request, _maxBytes: number, late: Promise<undefined>): Promise<Uint8Array> {
  const arriving = request.arrayBuffer()
  if (!request.bodyUsed) {
    arriving.catch(() => {})
    throw readAlready()
  }
  const whole = await Promise.race([arriving, late]).catch(incomplete)
  if (!whole) throw new BodyFailure('request_timeout')
  return new Uint8Array(whole)
}

async function readInParts(
  request: Request,
  maxBytes: number,
  late: Promise<undefined>,
): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array()
  if (request.body.locked) throw readAlready()
  const reader = request.body.getReader()
  try {
    // One race for the whole body: a race for each part would leave a reaction on `late` each time.
    const whole = await Promise.race([collect(reader, maxBytes), late])
    if (whole) return whole
    throw new BodyFailure('request_timeout')
  } catch (cause) {
    reader.cancel().catch(() => {})
    throw cause
  }
}

/** Copies each part into one buffer that doubles: a list of parts of one byte costs 400 times the body. */
async function collect(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> {
  let buffer = new Uint8Array()
  let size = 0
  for (;;) {
    const { done, value } = await reader.read().catch(incomplete)
    if (done) return buffer.subarray(0, size)
    const end = size + value.length
    if (end > maxBytes) throw new BodyFailure('body_too_large')
    if (end > buffer.length) {
      const larger = new Uint8Array(Math.max(end, Math.min(2 * buffer.length, maxBytes)))
      larger.set(buffer.subarray(0, size))
      buffer = larger
    }
    buffer.set(value, size)
    size = end
  }
}

function readAlready(): Error {
  return new Misuse('The body has been read already: pass the request to the service before other readers.')
}

function incomplete(cause: unknown): never {
  throw new BodyFailure('invalid_request', { cause })
}
