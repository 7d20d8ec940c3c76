import type { IncomingMessage } from 'node:http'
import { BodyFailure, type MaybePromise } from '../../core/index.ts'
import { getConnection } from './connection.ts'

/** Number of chunks from which a body is rejected if they are small: small chunks cost far more than their length. */
const manyChunks = 256
/**
 * Average length of small chunks, in bytes: less than 16, with a margin because a chunk that arrives in two reads counts
 * twice.
 */
const smallChunkBytes = 15.5

/** The requests that wait for `100 Continue` before they send a body (RFC 9110, 10.1.1). */
export const awaitingContinue: WeakSet<IncomingMessage> = new WeakSet()

/** The body of a request that the mount handles. */
export const incomingBody: unique symbol = Symbol('incomingBody')

export interface RequestWithBody extends IncomingMessage {
  [incomingBody]?: IncomingBody
}

/** Returns whether a request has a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/**
 * Prepares to receive the body of a request that the mount handles, unless a body parser has read it. It is received
 * from the start, except a body of declared length whose request is handled in this turn of the event loop.
 */
export function prepareBody(req: RequestWithBody, maxBytes: number, isHandledSoon: boolean): void {
  if (req.readableEnded || req.destroyed) return
  const body = new IncomingBody(req, maxBytes)
  req[incomingBody] = body
  if (!isHandledSoon || req.headers['transfer-encoding'] !== undefined) body.receive()
}

const noBytes = Buffer.alloc(0)

interface Reader {
  resolve(bytes: Uint8Array): void
  reject(failure: BodyFailure): void
}

/**
 * A body that is being received, in one buffer that grows: a list of chunks costs 400 bytes a chunk. It is buffered up
 * to its maximum before it is known whether the pipeline needs it. Its members are declared, so that nothing initializes
 * them before the constructor does.
 */
class IncomingBody {
  declare private readonly req: IncomingMessage
  declare private readonly maxBytes: number
  declare private bytes: Buffer
  declare private size: number
  declare private chunks: number
  /** True if it was rejected for its many small chunks. */
  declare isFragmented: boolean
  declare private isReceiving: boolean
  declare private isComplete: boolean
  declare private failure: BodyFailure['code'] | undefined
  /** Set while the pipeline waits for the body. */
  declare private reader: Reader | undefined

  constructor(req: IncomingMessage, maxBytes: number) {
    this.req = req
    this.maxBytes = maxBytes
    this.bytes = noBytes
    this.size = 0
    this.chunks = 0
    this.isFragmented = false
    this.isReceiving = false
    this.isComplete = false
    this.failure = undefined
    this.reader = undefined
  }

  /** Starts to receive the body, or takes it if all of it has arrived. Later calls do nothing. */
  receive(): void {
    if (this.isReceiving) return
    this.isReceiving = true
    const req = this.req
    if (req.complete) {
      const bytes: Buffer | null = req.read()
      if (bytes) this.add(bytes)
      this.isComplete = this.size === Number(req.headers['content-length'])
      if (this.isComplete) return
    }
    if (req.destroyed) this.abandon()
    req.on('data', (chunk: Buffer) => this.add(chunk))
    req.on('end', () => {
      this.isComplete = true
      this.settle()
    })
    req.on('close', () => this.isComplete || this.abandon())
  }

  /**
   * Returns the whole body, without a promise if it has arrived. Called at most once. Rejects with `BodyFailure` if the
   * body is too long, is incomplete, or has failed.
   */
  read(): MaybePromise<Uint8Array> {
    if (this.isComplete && !this.failure) return this.bytes.subarray(0, this.size)
    return new Promise((resolve, reject) => {
      this.reader = { resolve, reject }
      this.settle()
    })
  }

  /** Discards the body. Its reader gets the error, unless it has the body already. */
  abandon(code: BodyFailure['code'] = 'invalid_request'): void {
    this.failure ??= code
    this.bytes = noBytes
    if (this.req.isPaused()) this.req.resume()
    this.settle()
  }

  /** Resolves or rejects the promise of the reader when the body is complete or has failed. */
  private settle(): void {
    const { reader, failure } = this
    if (!reader || !(failure || this.isComplete)) return
    this.reader = undefined
    if (failure) reader.reject(new BodyFailure(failure))
    else reader.resolve(this.bytes.subarray(0, this.size))
  }

  private add(chunk: Buffer): void {
    if (this.failure) return
    const start = this.size
    this.size += chunk.length
    this.chunks++
    this.isFragmented = this.chunks >= manyChunks && this.size < this.chunks * smallChunkBytes
    if (this.isFragmented) {
      const connection = getConnection(this.req.socket)
      connection.isStopped = true
      connection.sliceClient?.(this.req.socket)
      this.abandon('invalid_request')
    } else if (this.size > this.maxBytes) this.abandon('body_too_large')
    else this.append(chunk, start)
  }

  /** Adds a chunk at `start`. The first one is not copied, as it may be the whole body. */
  private append(chunk: Buffer, start: number): void {
    if (start === 0) {
      this.bytes = chunk
      return
    }
    if (this.bytes.length < this.size) {
      const larger = Buffer.allocUnsafeSlow(Math.max(1_024, 2 * this.size))
      this.bytes.copy(larger, 0, 0, start)
      this.bytes = larger
    }
    chunk.copy(this.bytes, start)
  }
}
