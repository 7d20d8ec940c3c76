import type { IncomingMessage } from 'node:http'
import { BodyError } from '../../core/index.ts'
import { GrowingBuffer } from './growing-buffer.ts'
import { hasBody } from './head.ts'

/** A body with at least this many chunks is rejected if the chunks are small on average. */
const minFragmentedChunks = 256
/**
 * Minimum average chunk size in such a body, in bytes. It is a little less than 16, because a chunk that arrives in two
 * reads counts twice.
 */
const minAverageChunkBytes = 15.5

/** Requests whose client waits for `100 Continue` before it sends the body (RFC 9110, section 10.1.1). */
export const requestsAwaitingContinue: WeakSet<IncomingMessage> = new WeakSet()

/** Name of the request property that stores the {@link IncomingBody}. */
export const incomingBody: unique symbol = Symbol('incomingBody')

export interface RequestWithBody extends IncomingMessage {
  [incomingBody]?: IncomingBody
}

/**
 * Returns the request body that the service may read, or `undefined` if there is no body, or other code reads it.
 *
 * A chunked body is received immediately, because Node needs 400 bytes for each chunk that waits.
 */
export function prepareBody(req: RequestWithBody, maxBytes: number): IncomingBody | undefined {
  if (!hasBody(req) || req.readableDidRead || req.destroyed) return undefined
  const body = new IncomingBody(req, maxBytes)
  req[incomingBody] = body
  if (req.headers['transfer-encoding'] !== undefined) body.startReceiving()
  return body
}

/**
 * A request body that is received into one buffer, before it is known whether the service reads it. The members are
 * declared so that only the constructor initializes them.
 */
class IncomingBody {
  declare private readonly req: IncomingMessage
  declare private readonly maxBytes: number
  declare private isReceiving: boolean
  /** Received chunks. Undefined before the first one and after the last one. */
  declare private chunks: GrowingBuffer | undefined
  /** The complete body. Undefined before it has arrived, and after the service has read it. */
  declare private bytes: Uint8Array | undefined
  declare private failure: BodyError['code'] | undefined
  /** Resolves the promise that a pending `read` waits for. */
  declare private resumeReader: (() => void) | undefined
  /** Whether the body was rejected because its chunks are too small. */
  declare isFragmented: boolean
  /** Whether the service has read the complete body. */
  declare isRead: boolean

  constructor(req: IncomingMessage, maxBytes: number) {
    this.req = req
    this.maxBytes = maxBytes
    this.isReceiving = false
    this.chunks = undefined
    this.bytes = undefined
    this.failure = undefined
    this.resumeReader = undefined
    this.isFragmented = false
    this.isRead = false
  }

  /** Starts to receive the body. Further calls have no effect. */
  startReceiving(): void {
    if (this.isReceiving) return
    this.isReceiving = true
    const { req } = this
    // A body that has already arrived needs neither listeners nor a second buffer (-10 % createPet).
    if (req.complete && req.readableLength === Number(req.headers['content-length'])) {
      this.bytes = req.read() ?? new Uint8Array()
      return
    }
    if (req.destroyed) this.abandon()
    else this.chunks = new GrowingBuffer()
    req.on('data', (chunk: Buffer) => this.addChunk(chunk))
    req.on('end', () => {
      this.bytes = this.chunks?.take()
      this.chunks = undefined
      this.resumeReader?.()
    })
    req.on('close', () => this.bytes || this.isRead || this.abandon())
  }

  /**
   * Reads the complete body. Can be called once.
   * @throws {BodyError} If the body is incomplete, too large, or has too many small chunks.
   */
  async read(): Promise<Uint8Array> {
    this.startReceiving()
    if (!this.bytes && !this.failure)
      await new Promise<void>((resolve) => {
        this.resumeReader = resolve
      })
    const { bytes, failure } = this
    if (failure || !bytes) throw new BodyError(failure ?? 'invalid_request')
    this.bytes = undefined
    this.isRead = true
    return bytes
  }

  /** Discards the body, so that `read` rejects with the code. Only the first call sets the code. */
  abandon(code: BodyError['code'] = 'invalid_request'): void {
    this.failure ??= code
    this.chunks = undefined
    this.bytes = undefined
    if (this.req.isPaused?.()) this.req.resume() // a test double may have no `isPaused`
    this.resumeReader?.()
  }

  private addChunk(chunk: Buffer): void {
    const { chunks } = this
    if (!chunks) return
    chunks.append(chunk)
    this.isFragmented =
      chunks.chunkCount >= minFragmentedChunks && chunks.byteLength < chunks.chunkCount * minAverageChunkBytes
    if (this.isFragmented) this.abandon('invalid_request')
    else if (chunks.byteLength > this.maxBytes) this.abandon('body_too_large')
  }
}
