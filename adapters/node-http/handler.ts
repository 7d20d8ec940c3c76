import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PetService, ServiceRequest, ServiceResponse } from '../../core/index.ts'
import {
  checkOptions,
  createInternalError,
  functionRule,
  MisuseError,
  readInternals,
} from '../../core/internal.ts'
import { waitForEndOfTurn } from '../event-loop/index.ts'
import { incomingBody, prepareBody, type RequestWithBody } from './body.ts'
import { getConnection } from './connection.ts'
import { createMountCheck, toServiceRequest } from './node-request.ts'
import { writeFailure, writeResponse } from './write-response.ts'

/** Options for {@link createNodeHandler}. */
export interface NodeHandlerOptions {
  /**
   * Handles requests outside the base path. The handler ignores it when it receives `next`. By default the service
   * responds to them with 404.
   */
  readonly fallback?: (req: IncomingMessage, res: ServerResponse) => void
}

/**
 * A request listener for `node:http`, and middleware for Express and Connect. As middleware, it calls `next` for
 * requests outside the base path.
 */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse, next?: () => void) => void

/**
 * Creates a request listener that serves the interface. Mount it on a `node:http` or `node:https` server, and call
 * {@link hardenServer} with that server. {@link createPetServer} creates a server without other routes.
 *
 * Mount the handler in front of body parsers, because it reads bodies itself. Under a prefix (`app.use('/api',
 * handler)`), the service's `basePath` is the path that clients see, such as `/api/v1`. If no request can match it,
 * `onError` is called once.
 *
 * A request over HTTP/2 gets a 500, and `onError` explains why.
 *
 * @param service The service, created by `createPetService`.
 * @param options Which handler receives the other requests.
 * @throws {TypeError} If the service is invalid, or an option is unknown or invalid.
 *
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
  checkOptions(options, { fallback: functionRule })
  const { fallback } = options
  const internals = readInternals(service)
  const checkMount = createMountCheck(service.basePath, internals.reportError)

  /** Responds to a request. An error becomes a 500, or closes the connection if the headers are already sent. */
  async function respond(request: ServiceRequest, req: RequestWithBody, res: ServerResponse): Promise<void> {
    let response: ServiceResponse | undefined
    try {
      if ('stream' in req) throw new MisuseError(http2Message)
      prepareBody(req, internals.maxBodyBytes)
      // Each step handles all requests of the turn while its code is in the processor's cache (-20 % createPet, -15 %
      // getPet).
      await waitForEndOfTurn()
      // A body that has arrived by now needs no listeners (-10 % createPet).
      req[incomingBody]?.startReceiving()
      response = await service.handle(request)
      writeResponse(req, res, response)
    } catch (cause) {
      writeFailure(req, res, await createInternalError(internals, cause, request, response))
    }
  }

  return (req, res, next) => {
    const connection = getConnection(req.socket)
    if (connection.finalResponse && connection.finalResponse !== res) return // the connection closes after an earlier response
    const request = toServiceRequest(req, res)
    // A handler that is the whole server also responds to requests outside the base path. Only a mount under a prefix
    // sets `originalUrl`.
    const mustMatch = next || fallback || Object.hasOwn(req, 'originalUrl')
    if (mustMatch && !service.matches(request.target)) {
      checkMount(req)
      if (next) return next()
      if (fallback) return fallback(req, res)
    }
    connection.servedResponse = res
    void respond(request, req, res)
  }
}

const http2Message =
  'createNodeHandler() supports only HTTP/1; use a server of node:http or node:https behind a proxy'
