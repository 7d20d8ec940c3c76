import type { IncomingMessage, ServerResponse } from 'node:http'
import { BodyFailure, type PetService, type ServiceRequest, type ServiceResponse } from '../core/index.ts'
import { internalsOf } from '../core/internal.ts'
import {
  awaitingContinue,
  endAfterDraining,
  hasBody,
  IncomingBody,
  leavesTooMuchUnread,
} from './node-http/body.ts'
import { headFault } from './node-http/head.ts'
import { inTurn } from './node-http/turn.ts'

export {
  dedicatedServerOptions,
  type HardenOptions,
  hardenServer,
  serverOptions,
} from './node-http/harden.ts'

/**
 * How often Node looks whether the peer has read more of a response, in milliseconds. It closes the connection when twice
 * in a row it has not: within 30 seconds.
 */
const unreadMs = 15_000

/** How `createNodeHandler` is set up; everything has a default. */
export interface NodeHandlerOptions {
  /** Answers what is outside the base path, where no `next` is given; by default the service does, with a 404. */
  readonly fallback?: (req: IncomingMessage, res: ServerResponse) => void
}

/** Serves a bare `http.Server`, Connect and Express alike: what is outside the base path goes to `next`. */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse, next?: () => void) => void

/**
 * Mounts the service on node:http. Behind a body parser it cannot read bodies: mount it in front.
 * Of the requests of a connection it handles the next one when the response before it has been sent.
 * For what Node answers without asking anybody, see `hardenServer`.
 */
export function createNodeHandler(service: PetService, options: NodeHandlerOptions = {}): NodeHandler {
  const { fallback } = options

  function handle(req: IncomingMessage, res: ServerResponse): void {
    const request = new NodeRequest(req, res)
    const fault = headFault(req)
    if (fault) res.shouldKeepAlive = false
    const answer = fault ? internalsOf(service).rejectUnparsed(fault, request) : service.handle(request)
    request.takeInBody()
    // All requests that came at once are decided before the first answer is written: a third to two thirds more a second.
    if (answer instanceof Promise) void answer.then((late) => setImmediate(respond, req, res, request, late))
    else setImmediate(respond, req, res, request, answer)
  }

  return (req, res, next) => {
    if ((next || fallback) && !service.owns(req.url ?? '')) {
      if (next) next()
      else fallback?.(req, res)
      return
    }
    inTurn(req, res, handle)
  }
}

/** A class, so that a request costs one object and no closures. */
class NodeRequest implements ServiceRequest {
  readonly #req: IncomingMessage
  readonly #res: ServerResponse
  #body: IncomingBody | undefined

  constructor(req: IncomingMessage, res: ServerResponse) {
    this.#req = req
    this.#res = res
  }

  get method(): string {
    return this.#req.method ?? ''
  }

  get target(): string {
    return this.#req.url ?? ''
  }

  get httpVersion(): string {
    return this.#req.httpVersion
  }

  get client(): string | undefined {
    return this.#req.socket.remoteAddress
  }

  /** Reads the raw headers, since Node drops the repeated values of some. */
  header(name: string): string | undefined {
    const { rawHeaders } = this.#req
    let joined: string | undefined
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
      const candidate = rawHeaders[i]
      if (candidate?.length !== name.length || candidate.toLowerCase() !== name) continue
      joined = joined === undefined ? rawHeaders[i + 1] : `${joined}, ${rawHeaders[i + 1]}`
    }
    return joined
  }

  /** Reads the body, and only now tells a sender that waits to go on. */
  body(maxBytes: number): Promise<Uint8Array> {
    const req = this.#req
    if (!hasBody(req)) return Promise.resolve(new Uint8Array())
    if (!this.#body) {
      if (req.readableEnded) {
        return Promise.reject(
          new Error('The body has been read already: mount the service in front of body parsers.'),
        )
      }
      if (req.destroyed) return Promise.reject(new BodyFailure('invalid_request'))
      this.#body = new IncomingBody(req)
    }
    if (awaitingContinue.delete(req)) this.#res.writeContinue()
    return this.#body.read(maxBytes)
  }

  /** Takes in a body that nobody has asked for yet, so that it does not pile up in chunks. */
  takeInBody(): void {
    const req = this.#req
    if (!this.#body && hasBody(req) && !req.readableEnded && !req.destroyed)
      this.#body = new IncomingBody(req)
  }

  dropBody(): void {
    this.#body?.drop()
  }
}

function respond(
  req: IncomingMessage,
  res: ServerResponse,
  request: NodeRequest,
  { status, headers, body }: ServiceResponse,
): void {
  request.dropBody()
  if (res.headersSent) return
  const all =
    body === undefined ? [...headers] : [...headers, 'Content-Length', String(Buffer.byteLength(body))]
  if (leavesTooMuchUnread(req, res)) {
    res.writeHead(status, [...all, 'Connection', 'close']).flushHeaders()
    if (body !== undefined) res.write(body)
    endAfterDraining(req, res)
  } else res.writeHead(status, all).end(body)
  // Once all is sent, Node sets its own time again.
  if (res.writableLength > 0) req.socket.setTimeout(unreadMs)
}
