import type { IncomingMessage, ServerResponse } from 'node:http'
import { BodyFailure } from '../../core/index.ts'
import { type Connection, overfull, reading, readWithCare } from './connection.ts'
import { readInSlices } from './slices.ts'

/** How much of a body that nobody reads is taken in, so that its sender lives to read the answer. */
const drainBytes = 262_144

/** How much of a body is taken in before it is known whether anybody reads it. */
const earlyBytes = 65_536

/** From so many chunks on, a body whose chunks hold so few bytes each costs more than its length. */
const manyChunks = 256
const smallChunkBytes = 16

/** How long a peer may take to read the answer to a request that is not read to its end, in milliseconds. */
export const lingerMs = 1_000

/** The requests that wait for `100 Continue` before they send a body (RFC 9110, 10.1.1). */
export const awaitingContinue: WeakSet<IncomingMessage> = new WeakSet()

const nothing = Buffer.alloc(0)

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

interface Reader {
  readonly maxBytes: number
  readonly resolve: (bytes: Uint8Array) => void
  readonly reject: (failure: BodyFailure) => void
}

/**
 * A body on its way in, in one buffer that grows: as a list of chunks, Node's own or another, it would cost 400 bytes
 * a chunk. It is taken in at once, also where it is not known yet whether anybody reads it.
 */
export class IncomingBody {
  readonly #req: IncomingMessage
  #bytes: Buffer = nothing
  #size = 0
  #chunks = 0
  #isDropped = false
  /** The connection, while no more of it is read. */
  #held: Connection | undefined
  /** Undefined until somebody reads the body. */
  #reader: Reader | undefined

  constructor(req: IncomingMessage) {
    this.#req = req
    req.on('data', (chunk: Buffer) => this.#add(chunk))
    // each comes but once; `once` would cost two objects more
    req.on('end', () => this.#look())
    req.on('close', () => this.#look())
  }

  /** Rejects with `BodyFailure` when the body is longer than `maxBytes` or breaks off. Called once at the most. */
  read(maxBytes: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.#reader = { maxBytes, resolve, reject }
      this.#goOn()
      this.#look()
    })
  }

  /** Settles the promise of the reader as soon as it can. */
  #look(): void {
    if (!this.#reader) return
    const { maxBytes, resolve, reject } = this.#reader
    if (this.#size > maxBytes) {
      this.drop()
      reject(new BodyFailure('body_too_large'))
    } else if (this.#req.readableEnded) resolve(this.#bytes.subarray(0, this.#size))
    else if (this.#req.destroyed) reject(new BodyFailure('invalid_request'))
  }

  /** Lets go of what is in, and of what is still to come. */
  drop(): void {
    this.#isDropped = true
    this.#bytes = nothing
    this.#goOn()
  }

  #add(chunk: Buffer): void {
    if (this.#isDropped) return
    const start = this.#size
    this.#size += chunk.length
    this.#chunks++
    if (this.#chunks === manyChunks && this.#size < manyChunks * smallChunkBytes) this.#readWithCare()
    if (this.#reader && this.#size > this.#reader.maxBytes) {
      this.#look()
      return
    }
    this.#append(chunk, start)
    if (!this.#reader && !this.#held && this.#size >= earlyBytes) this.#hold()
  }

  #readWithCare(): void {
    const { socket }: { readonly socket: Connection } = this.#req
    if (!socket[reading]) socket.server?.[readWithCare]?.()
  }

  /** Leaves the rest on the connection: what a paused request buffers, Node would keep in chunks. */
  #hold(): void {
    const { socket }: { readonly socket: Connection } = this.#req
    readInSlices(socket)
    if (socket[reading]) {
      socket[overfull] = true
      this.#held = socket
    } else this.#req.pause()
  }

  #goOn(): void {
    if (this.#held) {
      this.#held[overfull] = false
      this.#held[reading]?.goOn()
      this.#held = undefined
    }
    if (this.#req.isPaused()) this.#req.resume()
  }

  /** Does not copy a body that comes in one piece. */
  #append(chunk: Buffer, start: number): void {
    if (start === 0) {
      this.#bytes = chunk
      return
    }
    if (this.#bytes.length < this.#size) {
      const grown = Buffer.allocUnsafeSlow(Math.max(1_024, 2 * this.#size))
      this.#bytes.copy(grown, 0, 0, start)
      this.#bytes = grown
    }
    chunk.copy(this.#bytes, start)
  }
}

/** Whether more of a body is to come than Node takes in after the answer: it takes none on a connection that it closes. */
export function leavesTooMuchUnread(req: IncomingMessage, res: ServerResponse): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = req.headers
  if (req.complete || (length === '0' && coding === undefined)) return false
  return (
    !res.shouldKeepAlive || awaitingContinue.has(req) || coding !== undefined || Number(length) > drainBytes
  )
}

/**
 * Ends an answer that is written to its last byte, and with it the connection, only when the rest of the request is in,
 * is too much or does not come: a connection that is closed while bytes arrive takes the answer with it (RFC 9112, 9.6).
 */
export function endAfterDraining(req: IncomingMessage, res: ServerResponse): void {
  let left = drainBytes
  const timer = setTimeout(end, lingerMs).unref()
  function end() {
    clearTimeout(timer)
    res.end()
  }
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) end()
  })
  req.once('end', end).once('close', end).resume()
}
