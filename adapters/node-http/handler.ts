import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { PetService, ServiceResponse } from '../../core/index.ts'
import { aFunction, checkOptions, internalsOf, Misuse } from '../../core/internal.ts'
import { closeReading, hasBody, incomingBody, prepareBody, type RequestWithBody } from './body.ts'
import { NodeRequest } from './node-request.ts'
import { inTurn, runSoon } from './run-soon.ts'
import { mountProblem, targetOf } from './target.ts'
import { isLong, shared, writeResponse } from './write-response.ts'

/** As it is now: fake timers of tests, which no one advances, hold up no response. */
const soon = setImmediate

/** Options of `createNodeHandler`. All have a default. */
export interface NodeHandlerOptions {
  /**
   * Handles the requests outside the base path where there is no `next`. By default the service responds to them with a 404.
   * On an HTTP/2 server it receives the request and the response of the compatibility API.
   */
  readonly fallback?: (req: IncomingMessage, res: ServerResponse) => void
}

/**
 * A listener of `http.createServer`, `https.createServer` and `http2.createServer` (the compatibility API), and a
 * middleware of Express and Connect: it calls `next` for the requests outside the base path.
 */
export type NodeHandler = (
  req: IncomingMessage | Http2ServerRequest,
  res: ServerResponse | Http2ServerResponse,
  next?: () => void,
) => void

/**
 * Mounts the service on a server of node:http, or on a framework on top of it.
 *
 * Under a prefix (`app.use('/api', handler)`) the base path of the service is the path that clients see, such as `/api/v1`.
 * A mount under a prefix that excludes the base path reports this once to the `onError` of the service. Mount the handler in
 * front of body parsers: it reads bodies itself.
 *
 * The requests of one connection are handled one after the other. Other routes of the server do not change. To bound the
 * server, and to respond where Node responds by itself, call `hardenServer`; for a server of the service alone, use
 * `createPetServer`.
 *
 * @param service From `createPetService`.
 * @throws {TypeError} `service` is no service, or an option is unknown or invalid.
 * @example
 * import { createServer } from 'node:http'
 * import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
 * import { createNodeHandler, hardenServer, serverOptions } from 'pet-adoption-service/node'
 *
 * const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
 * const service = createPetService({ keys })
 * const handler = createNodeHandler(service, { fallback: (_req, res) => res.end('The shelter is open.') })
 * const server = createServer(serverOptions, handler)
 * hardenServer(server, service)
 */
export function createNodeHandler(service: PetService, options: NodeHandlerOptions = {}): NodeHandler {
  checkOptions(options, { fallback: aFunction })
  return createHandler(service, options.fallback, false)
}

/** Creates a handler. `isAlone` is true where nothing else reads the requests of the service. */
export function createHandler(
  service: PetService,
  fallback: NodeHandlerOptions['fallback'],
  isAlone: boolean,
): NodeHandler {
  const internals = internalsOf(service)
  /** Whether the mount has received a request that it can serve, or has reported that it cannot. */
  let isMountChecked = false

  function owns(req: IncomingMessage): boolean {
    if (service.owns(targetOf(req))) {
      isMountChecked = true
      return true
    }
    const problem = isMountChecked ? undefined : mountProblem(req, service.basePath)
    if (problem) {
      isMountChecked = true
      internals.report(new Misuse(problem))
    }
    return false
  }

  // All requests that arrive together are read before the first response is written: 1.3 to 1.6 times the requests a second.

  function handle(req: RequestWithBody, res: ServerResponse): void {
    if (req[incomingBody] && req.httpVersionMajor === 1) soon(handleWithBody, req, res)
    else respond(req, res, (response) => writeSoon(req, res, response))
  }

  /** Copying many long responses to the system takes long: others are served in between. */
  function writeSoon(req: IncomingMessage, res: ServerResponse, response: ServiceResponse): void {
    if (isLong(response.body)) {
      const waiting = { ...response, body: shared(response.body).text }
      runSoon(() => writeResponse(req, res, waiting))
    } else soon(writeResponse, req, res, response)
  }

  /** By now, most bodies have arrived: they are read without listeners and promises, in a tenth less time for createPet. */
  function handleWithBody(req: RequestWithBody, res: ServerResponse): void {
    req[incomingBody]?.receive()
    if (isAlone && req[incomingBody]?.isWhole) closeReading(req)
    respond(req, res, (response) => writeResponse(req, res, response))
  }

  function respond(
    req: RequestWithBody,
    res: ServerResponse,
    write: (response: ServiceResponse) => void,
  ): void {
    const request = new NodeRequest(req, res)
    if (request.headError) res.shouldKeepAlive = false
    const response = service.handle(request)
    if (response instanceof Promise) void response.then(write)
    else write(response)
  }

  return (request, response, next) => {
    const req = request as IncomingMessage // the compatibility API of HTTP/2 has the members that the mount uses
    const res = response as ServerResponse // likewise
    if (!owns(req) && (next || fallback)) {
      if (next) next()
      else fallback?.(req, res)
      return
    }
    if (hasBody(req)) prepareBody(req, res.socket !== null && req.httpVersionMajor === 1)
    else if (isAlone) closeReading(req)
    inTurn(req, res, handle)
  }
}
