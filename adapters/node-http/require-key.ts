import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller, PetService } from '../../core/index.ts'
import { createInternalError, type Peer, readInternals } from '../../core/internal.ts'
import { requestsAwaitingContinue } from './body.ts'
import { toServiceRequest } from './node-request.ts'
import { setHeaders } from './write-head.ts'
import { writeFailure, writeResponse } from './write-response.ts'

/**
 * Middleware for Express and Connect. It calls `next` only for a request with a valid key within its limits, and
 * responds to any other request. For frameworks without `next`, it resolves with whether the request may continue.
 * Never rejects.
 */
export type KeyMiddleware = (req: IncomingMessage, res: ServerResponse, next?: () => void) => Promise<boolean>

const callers = new WeakMap<IncomingMessage, Caller>()

/**
 * Creates middleware that requires an API key for your own routes. It charges the caller for one request, with the
 * service's keys and rate limits.
 *
 * If the key is valid and within its limits, the middleware sets the headers that every response needs (rate limit,
 * CORS, request ID), and calls `next`. {@link callerOf} then returns the caller. Otherwise it responds itself, with an
 * error such as 401 or 429, or to a preflight request. It does not read the body: mount it in front of body parsers.
 *
 * @param service The service, created by `createPetService`.
 * @throws {TypeError} If the service is invalid.
 *
 * @example
 * import { createServer } from 'node:http'
 * import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
 * import { callerOf, requireKey } from 'pet-adoption-service/node'
 *
 * const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
 * const authenticate = requireKey(createPetService({ keys }))
 * const server = createServer((req, res) => {
 *   authenticate(req, res, () => res.end(`Orders of ${callerOf(req).id}`))
 * })
 */
export function requireKey(service: PetService): KeyMiddleware {
  const internals = readInternals(service)

  return async (req, res, next) => {
    let peer: Peer = { clientAddress: undefined, header: () => undefined }
    try {
      const request = toServiceRequest(req, res)
      peer = request
      const access = await service.authenticate(request)
      if (!access.authenticated) {
        writeResponse(req, res, access.response)
        return false
      }
      if (res.headersSent) return false
      setHeaders(res, access.rawHeaders)
      callers.set(req, access.caller)
      if (requestsAwaitingContinue.delete(req)) res.writeContinue()
      next?.()
      return true
    } catch (cause) {
      writeFailure(req, res, await createInternalError(internals, cause, peer))
      return false
    }
  }
}

/**
 * Returns the caller for a request that {@link requireKey} has passed on.
 *
 * @typeParam Found The type of the service's callers, if its key store returns more than `Caller`.
 * @param req The `node:http` request: `req` in Express and Connect, `ctx.req` in Koa, `request.raw` in Fastify.
 * @throws {TypeError} If `requireKey` has not passed the request on.
 */
export function callerOf<Found extends Caller = Caller>(req: IncomingMessage): Found {
  const caller = callers.get(req)
  if (!caller)
    throw new TypeError('callerOf() requires a request that requireKey has passed on; mount requireKey first')
  return caller as Found // the type that the service's key store returns
}
