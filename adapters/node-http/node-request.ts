import type { IncomingMessage, ServerResponse } from 'node:http'
import { BodyFailure, type MaybePromise, type ServiceRequest } from '../../core/index.ts'
import { digest } from '../../core/internal.ts'
import { awaitingContinue, hasBody, incomingBody, type RequestWithBody, receiveBody } from './body.ts'
import { type Connection, latestDigest, latestToken } from './connection.ts'
import { headError } from './head.ts'
import { bytesReadBefore } from './read-before.ts'
import { targetOf } from './target.ts'

/** A request of Node as core reads it. It is a class so that a request costs one object and no closures. */
export class NodeRequest implements ServiceRequest {
  readonly #req: RequestWithBody
  readonly #res: ServerResponse
  readonly headError: ServiceRequest['headError']

  constructor(req: IncomingMessage, res: ServerResponse) {
    this.#req = req
    this.#res = res
    this.headError = headError(req)
  }

  get method(): string {
    return this.#req.method ?? ''
  }

  get target(): string {
    return targetOf(this.#req)
  }

  /** HTTP/2 has its own framing, which Node has checked. */
  get httpVersion(): string | undefined {
    return this.#req.httpVersionMajor === 1 ? this.#req.httpVersion : undefined
  }

  get client(): string | undefined {
    return this.#req.socket.remoteAddress
  }

  /** Hashes a key once for as long as the connection sends the same one: a list takes a twentieth less time. */
  digest(token: string): string {
    const { socket }: { readonly socket: Connection } = this.#req
    if (socket[latestToken] !== token) {
      socket[latestDigest] = digest(token)
      socket[latestToken] = token
    }
    return socket[latestDigest] ?? ''
  }

  /** Reads the raw headers, since Node drops the repeated values of some headers. */
  header(name: string): string | undefined {
    const { rawHeaders } = this.#req
    let joined: string | undefined
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
      const candidate = rawHeaders[i]
      if (candidate?.length !== name.length || candidate.toLowerCase() !== name) continue
      joined = joined === undefined ? rawHeaders[i + 1] : `${joined}, ${rawHeaders[i + 1]}`
    }
    // The authority takes the place of Host (RFC 9113, 8.3.1).
    if (joined === undefined && name === 'host' && this.#req.httpVersionMajor > 1)
      return this.header(':authority')
    return joined
  }

  /** Reads the body. A client that waits for `100 Continue` receives it only now. */
  body(maxBytes: number): MaybePromise<Uint8Array> {
    const req = this.#req
    if (!hasBody(req)) return new Uint8Array()
    if (!req[incomingBody] && !req.readableDidRead) receiveBody(req)
    const body = req[incomingBody]
    if (!body) return readBefore(req, maxBytes)
    if (awaitingContinue.delete(req)) this.#res.writeContinue()
    return body.read(maxBytes)
  }
}

/** Returns the body of a request that something in front of the mount has read. A value that a parser made of it has lost int64. */
async function readBefore(req: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const bytes = bytesReadBefore(req)
  if (bytes && bytes.length > maxBytes) throw new BodyFailure('body_too_large')
  if (bytes) return bytes
  if (!req.readableEnded) throw new BodyFailure('invalid_request')
  throw new Error(
    'The body has been read already, and its bytes are neither in req.rawBody nor in req.body: mount the service in front of body parsers.',
  )
}
