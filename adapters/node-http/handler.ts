import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PetService, ServiceResponse } from '../../core/index.ts'
import { aFunction, checkOptions, createInternalError, Misuse, readInternals } from '../../core/internal.ts'
import { endOfTurn } from '../event-loop/index.ts'
import { hasBody, incomingBody, prepareBody, type RequestWithBody } from './body.ts'
import { isIgnored, makeFinal, waitForPrevious } from './connection.ts'
import { createMountCheck, endsConnection, NodeRequest, readTarget } from './node-request.ts'
import { writeFailure, writeResponse } from './write-response.ts'

/** Options of `createNodeHandler`. All have a default. */
export interface NodeHandlerOptions {
  /** Handles requests outside the base path if there is no `next`. By default the service responds with a 404. */
  readonly fallback?: (req: IncomingMessage, res: ServerResponse) => void
}

/**
 * A listener of `http.createServer` and `https.createServer`, and a middleware of Express and Connect: it calls `next`
 * for requests outside the base path.
 */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse, next?: () => void) => void

/**
 * Mounts the service on a server of node:http, or on a framework on top of it.
 *
 * Under a prefix (`app.use('/api', handler)`) the base path of the service is the path that clients see, such as
 * `/api/v1`. A mount under a prefix that excludes the base path reports this once to the `onError` of the service.
 * Mount the handler in front of body parsers: it reads bodies itself.
 *
 * Other routes of the server do not change. To bound the server, to handle the requests of a connection one after the
 * other, and to respond instead of Node, call `hardenServer`. For a server without other routes, use `createPetServer`.
 *
 * Requests of HTTP/2 get a 500, and `onError` the reason: put a proxy in front that speaks HTTP/1 to the server.
 *
 * @param service From `createPetService`.
 * @throws {TypeError} `service` is not a service, or an option is unknown or invalid.
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
  const internals = readInternals(service)
  const checkMount = createMountCheck(service.basePath, internals.report)

  /** Never rejects: whatever throws becomes a 500, or closes the connection if headers were sent. */
  async function respond(req: RequestWithBody, res: ServerResponse): Promise<void> {
    const request = new NodeRequest(req, res)
    let response: ServiceResponse | undefined
    try {
      if ('stream' in req) throw new Misuse(http2Message)
      if (hasBody(req)) prepareBody(req, internals.maxBodyBytes, res.socket !== null)
      const before = waitForPrevious(res)
      if (before) {
        await before
        if (!req.socket.writable || res.headersSent) return
      }
      // All requests of a turn are handled together, and then their responses are written, while the code of each step
      // is in the caches of the processor (-20 % createPet, -15 % getPet).
      await endOfTurn()
      // By now most bodies have arrived, and are read without listeners (-10 % createPet).
      req[incomingBody]?.receive()
      response = await service.handle(request)
      writeResponse(req, res, response)
    } catch (cause) {
      writeFailure(req, res, await createInternalError(internals, cause, request, response))
    }
  }

  return (req, res, next) => {
    if (isIgnored(req, res)) return
    if (endsConnection(req)) makeFinal(req, res)
    // Otherwise the service responds with a 404 itself. Only a mount below a prefix has `originalUrl`.
    const mustMatch = next || fallback || Object.hasOwn(req, 'originalUrl')
    if (mustMatch && !service.matches(readTarget(req))) {
      checkMount(req)
      if (next) return next()
      if (fallback) return fallback(req, res)
    }
    void respond(req, res)
  }
}

const http2Message =
  'createNodeHandler serves HTTP/1 only: mount it on a server of node:http or node:https, and let a proxy speak HTTP/2 to clients.'
