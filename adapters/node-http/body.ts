import type { IncomingMessage } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'
import { BodyFailure, type MaybePromise } from '../../core/index.ts'
import { type Connection, isOverfull, readAllInSlices, readInSlices, slicedReading } from './connection.ts'

/** How many bytes of a body are buffered before the pipeline asks for it. */
const earlyBytes = 65_536

/** A body whose first chunks are smaller than this costs far more than its length: all connections are then read in slices. */
const manyChunks = 256
const smallChunkBytes = 16

/** The requests that wait for `100 Continue` before they send a body (RFC 9110, 10.1.1). */
export const awaitingContinue: WeakSet<IncomingMessage> = new WeakSet()

/** The body of a request that the mount handles. */
export const incomingBody: unique symbol = Symbol('incomingBody')

export interface RequestWithBody extends IncomingMessage {
  [incomingBody]?: IncomingBody
}

/** Whether a request has a body. On HTTP/2 the frames say so, and a length is not needed. */
export function hasBody(req: IncomingMessage): boolean {
  const { headers, httpVersionMajor } = req
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return true
  if (httpVersionMajor < 2) return false
  const { stream } = req as unknown as Http2ServerRequest // by its version
  return stream?.endAfterHeaders === false
}

/**
 * Prepares to receive the body of a request that the mount handles, unless a body parser has read it. Chunks may be many: the
 * service begins to receive them at once. A body of declared length that is handled in this turn of the event loop can wait.
 */
export function prepareBody(req: RequestWithBody, isHandledSoon: boolean): void {
  if (req.readableEnded || req.destroyed) return
  const body = new IncomingBody(req)
  req[incomingBody] = body
  if (!isHandledSoon || req.headers['transfer-encoding'] !== undefined) body.receive()
}

/** The members of Node's requests by which its option `optimizeEmptyRequests` works. */
interface Internals {
  /** From Node 24.12 on. */
  readonly _dumpAndCloseReadable?: () => void
  _dumped: boolean
  readonly _readableState: Record<'ended' | 'endEmitted' | 'destroyed' | 'closed' | 'closeEmitted', boolean>
}

const isOldNode =
  !process.versions.bun && !process.versions.deno && Number.parseInt(process.versions.node, 10) < 24

/**
 * Lets a request emit nothing more: `end` and `close`, which no one listens to, take a twentieth of the time of a list on Node
 * 20, and of createPet on every Node. The request is complete, or has no body.
 */
export function closeReading(req: IncomingMessage): void {
  const internals = req as unknown as Internals // not in Node's types
  if (internals._dumpAndCloseReadable) internals._dumpAndCloseReadable()
  else if (isOldNode) {
    internals._dumped = true
    const state = internals._readableState
    state.ended = true
    state.endEmitted = true
    state.destroyed = true
    state.closed = true
    state.closeEmitted = true
  }
}

const noBytes = Buffer.alloc(0)

interface Reader {
  readonly maxBytes: number
  readonly resolve: (bytes: Uint8Array) => void
  readonly reject: (failure: BodyFailure) => void
}

/**
 * A body that is being received, in one buffer that grows: a list of chunks, Node's own or another, costs 400 bytes a chunk.
 * It buffers from the start, also while it is unknown whether the pipeline needs the body.
 */
class IncomingBody {
  readonly #req: IncomingMessage
  #bytes: Buffer = noBytes
  #size = 0
  #chunks = 0
  #isReceiving = false
  #isWhole = false
  #isDropped = false
  #failure: BodyFailure['code'] | undefined
  /** The connection, while no more of it is read. */
  #pausedConnection: Connection | undefined
  /** Undefined until the pipeline asks for the body, and again once it has it. */
  #reader: Reader | undefined

  constructor(req: IncomingMessage) {
    this.#req = req
  }

  /** Begins to receive the body; or takes it, if all of it has arrived. Later calls have no effect. */
  receive(): void {
    if (this.#isReceiving) return
    this.#isReceiving = true
    const req = this.#req
    if (req.complete && req.httpVersionMajor === 1) {
      const bytes: Buffer | null = req.read()
      if (bytes) this.#add(bytes)
      this.#isWhole = this.#size === Number(req.headers['content-length'])
      if (this.#isWhole) return
    }
    req.on('data', (chunk: Buffer) => this.#add(chunk))
    const update = () => this.#update()
    req.on('end', update).on('close', update)
  }

  /** Whether all of the body has been taken. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  /**
   * Returns the whole body, without a promise if it has arrived. Called once at the most. Rejects with `BodyFailure` when the
   * body is longer than `maxBytes`, is incomplete, or has failed.
   */
  read(maxBytes: number): MaybePromise<Uint8Array> {
    if ((this.#isWhole || this.#req.readableEnded) && this.#size <= maxBytes && !this.#failure)
      return this.#bytes.subarray(0, this.#size)
    return new Promise((resolve, reject) => {
      this.#reader = { maxBytes, resolve, reject }
      this.#resume()
      this.#update()
    })
  }

  /** Gives up a body that can no longer arrive. Has no effect once the body is read. */
  fail(code: BodyFailure['code']): void {
    this.#failure ??= code
    this.#update()
  }

  /** Discards the bytes that have arrived and those that follow. */
  drop(): void {
    this.#isDropped = true
    this.#bytes = noBytes
    this.#resume()
  }

  /** Resolves or rejects the promise of the reader as soon as the outcome is known. */
  #update(): void {
    if (!this.#reader) return
    const { maxBytes, resolve, reject } = this.#reader
    const failure = this.#size > maxBytes ? 'body_too_large' : (this.#failure ?? this.#cutOff())
    if (!failure && !this.#isWhole && !this.#req.readableEnded) return
    this.#reader = undefined
    if (failure) {
      this.drop()
      reject(new BodyFailure(failure))
    } else resolve(this.#bytes.subarray(0, this.#size))
  }

  /** A request of HTTP/2 that is cut off ends like one that is complete, but for `aborted`. */
  #cutOff(): BodyFailure['code'] | undefined {
    const { aborted, destroyed, readableEnded } = this.#req
    return aborted || (destroyed && !readableEnded) ? 'invalid_request' : undefined
  }

  #add(chunk: Buffer): void {
    if (this.#isDropped) return
    const start = this.#size
    this.#size += chunk.length
    this.#chunks++
    if (this.#chunks === manyChunks && this.#size < manyChunks * smallChunkBytes) this.#readInSlices()
    if (this.#reader && this.#size > this.#reader.maxBytes) {
      this.#update()
      return
    }
    this.#append(chunk, start)
    if (!this.#reader && !this.#pausedConnection && this.#size >= earlyBytes) this.#pause()
  }

  #readInSlices(): void {
    const { socket }: { readonly socket: Connection } = this.#req
    if (!socket[slicedReading]) socket.server?.[readAllInSlices]?.()
  }

  /** Leaves the rest on the connection: Node would buffer what it reads for a paused request, in chunks. */
  #pause(): void {
    const { socket }: { readonly socket: Connection } = this.#req
    readInSlices(socket)
    if (socket[slicedReading]) {
      socket[isOverfull] = true
      this.#pausedConnection = socket
    } else this.#req.pause()
  }

  #resume(): void {
    if (this.#pausedConnection) {
      this.#pausedConnection[isOverfull] = false
      this.#pausedConnection[slicedReading]?.resume()
      this.#pausedConnection = undefined
    }
    if (this.#req.isPaused()) this.#req.resume()
  }

  /** Does not copy a body that arrives in one chunk. */
  #append(chunk: Buffer, start: number): void {
    if (start === 0) {
      this.#bytes = chunk
      return
    }
    if (this.#bytes.length < this.#size) {
      const larger = Buffer.allocUnsafeSlow(Math.max(1_024, 2 * this.#size))
      this.#bytes.copy(larger, 0, 0, start)
      this.#bytes = larger
    }
    chunk.copy(this.#bytes, start)
  }
}
