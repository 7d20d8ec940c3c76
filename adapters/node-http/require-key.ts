import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller, PetService } from '../../core/index.ts'
import { createInternalError, readInternals } from '../../core/internal.ts'
import { awaitingContinue } from './body.ts'
import { toServiceRequest } from './node-request.ts'
import { setHeaders } from './write-head.ts'
import { writeFailure, writeResponse } from './write-response.ts'

/**
 * A middleware of Connect and Express. It calls `next` only for requests with a valid key within its limits. Resolves
 * to true if the request may go on, for frameworks without `next`. Never rejects.
 */
export type KeyMiddleware = (req: IncomingMessage, res: ServerResponse, next?: () => void) => Promise<boolean>

const callers = new WeakMap<IncomingMessage, Caller>()

/**
 * Creates middleware for routes of your own that share the keys and the rate limits of the service. It charges the
 * caller for one request.
 *
 * If the key is valid and within its limits, the middleware sets the headers that every response needs (rate limit,
 * CORS, request id) and calls `next`; `callerOf` then returns the caller. Otherwise it responds itself, with an error
 * such as 401 or 429, or to a preflight. It does not read the body: mount it in front of body parsers.
 *
 * @param service From `createPetService`.
 * @throws {TypeError} `service` is not a service.
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
    const request = toServiceRequest(req, res)
    try {
      const access = await service.authenticate(request)
      if (!access.authenticated) {
        writeResponse(req, res, access.response)
        return false
      }
      if (res.headersSent) return false
      setHeaders(res, access.rawHeaders)
      callers.set(req, access.caller)
      if (awaitingContinue.delete(req)) res.writeContinue()
      next?.()
      return true
    } catch (cause) {
      writeFailure(req, res, await createInternalError(internals, cause, request))
      return false
    }
  }
}

/**
 * Returns the caller of a request that `requireKey` has passed on.
 *
 * @typeParam Found Type of the callers of the service, if its key store returns more than `Caller`.
 * @param req The request of node:http: `req` of Express and Connect, `ctx.req` of Koa, `request.raw` of Fastify.
 * @throws {TypeError} `requireKey` has not passed the request on.
 */
export function callerOf<Found extends Caller = Caller>(req: IncomingMessage): Found {
  const caller = callers.get(req)
  if (!caller)
    throw new TypeError('callerOf requires a request that requireKey has passed on: mount requireKey first')
  return caller as Found // what the key store of the service has returned
}
