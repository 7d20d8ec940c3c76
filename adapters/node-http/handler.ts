import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PetService } from '../../core/index.ts'
import { aFunction, checkOptions, internalsOf } from '../../core/internal.ts'
import { hasBody, incomingBody, prepareBody, type RequestWithBody } from './body.ts'
import { closeAfter, connectionOf, inTurn, isIgnored } from './connection.ts'
import { createMountCheck, NodeRequest, targetOf } from './node-request.ts'
import { writeResponse } from './write-response.ts'

/** As it is now: fake timers of tests, which no one advances, hold up no response. */
const soon = setImmediate

/** Options of `createNodeHandler`. All have a default. */
export interface NodeHandlerOptions {
  /** Handles requests outside the base path where there is no `next`. By default the service responds with a 404. */
  readonly fallback?: (req: IncomingMessage, res: ServerResponse) => void
}

/**
 * A listener of `http.createServer` and `https.createServer`, and a middleware of Express and Connect: it calls `next`
 * for the requests outside the base path.
 */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse, next?: () => void) => void

/**
 * Requests that arrive together: all are read, then all handled, then all responses written, in one turn of the event
 * loop. The processor's caches hold the code of one step: createPet takes a quarter less time, and getPet a seventh.
 */
class Batch {
  /** How many are not handled yet. */
  waiting = 0
  end = () => {}
  /** Fulfills at the end, when all are handled. What waits for it keeps the asynchronous context of its request. */
  readonly handled: Promise<void> = new Promise((resolve) => {
    this.end = resolve
  })
}

/**
 * Mounts the service on a server of node:http, or on a framework on top of it.
 *
 * Under a prefix (`app.use('/api', handler)`) the base path of the service is the path that clients see, such as
 * `/api/v1`. A mount under a prefix that excludes the base path reports this once to the `onError` of the service.
 * Mount the handler in front of body parsers: it reads bodies itself.
 *
 * Other routes of the server do not change. To bound the server, to handle the requests of a connection one after the
 * other, and to respond where Node responds by itself, call `hardenServer`; for a server of the service alone, use
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
  const { fallback } = options
  const { maxBodyBytes, report } = internalsOf(service)
  const checkMount = createMountCheck(service.basePath, report)
  /** Those that have arrived since a request was handled. */
  let arriving: Batch | undefined

  function handleSoon(req: RequestWithBody, res: ServerResponse): void {
    arriving ??= new Batch()
    arriving.waiting++
    const request = new NodeRequest(req, res)
    const batch = arriving
    // Not the immediate itself: it leads to all later ones, which Node 20 then collects late, and takes twice as long.
    connectionOf(req.socket).finish = () => handle(request, req, res, batch)
    soon(handle, request, req, res, batch)
  }

  /** Handles a request, unless that is done. */
  function handle(request: NodeRequest, req: RequestWithBody, res: ServerResponse, batch: Batch): void {
    if (request.isHandled) return
    request.isHandled = true
    arriving = undefined
    batch.waiting--
    connectionOf(req.socket).finish = undefined
    // By now, most bodies have arrived: they are read without listeners and promises, in a tenth less time for
    // createPet.
    req[incomingBody]?.receive()
    if (request.headError) closeAfter(res)
    const response = service.handle(request)
    if (!(response instanceof Promise)) {
      if (req.socket.readableEnded) writeResponse(req, res, response)
      else void batch.handled.then(() => writeResponse(req, res, response))
    }
    // Creations that are stored together are responded to at once: a turn later, the next groups are smaller.
    else if (req[incomingBody]) void response.then((late) => writeResponse(req, res, late))
    else void response.then((late) => soon(writeResponse, req, res, late))
    if (batch.waiting === 0) batch.end() // what waits for it runs after this function
  }

  return (req, res, next) => {
    if (isIgnored(req, res)) return
    // Without `originalUrl`, nothing has mounted this handler below a path.
    const mayPassOn = next || fallback || Object.hasOwn(req, 'originalUrl')
    if (mayPassOn && !service.matches(targetOf(req))) {
      checkMount(req)
      if (next) return next()
      if (fallback) return fallback(req, res)
    }
    if (hasBody(req)) prepareBody(req, maxBodyBytes, res.socket !== null)
    inTurn(req, res, handleSoon)
  }
}
