import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Caller, PetService } from '../../core/index.ts'
import { callerOf as findCaller, requireKey as requireNodeKey } from '../node-http/index.ts'
import type { FastifyReplyLike, FastifyRequestLike } from './structure.ts'

/** A Fastify `onRequest` hook, for one route or all routes in a plugin. */
export type KeyHook = (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<void>

/** Response headers that {@link requireKey} has set. */
const rateLimitHeaders = new WeakMap<ServerResponse, OutgoingHttpHeaders>()

/**
 * Creates a hook that requires an API key for your own routes. It charges the caller for one request, with the
 * service's keys and rate limits.
 *
 * If the key is valid and within its limits, the route runs, {@link callerOf} returns the caller, and the response has
 * the service's headers (rate limit, CORS, request ID). Otherwise the hook responds itself, with an error such as 401
 * or 429.
 *
 * @param service The service, created by `createPetService`.
 * @throws {TypeError} If the service is invalid.
 *
 * @example
 * import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
 * import { requireKey } from 'pet-adoption-service/fastify'
 *
 * const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
 * const onRequest = requireKey(createPetService({ keys }))
 * // app.get('/orders', { onRequest }, async (request) => callerOf(request).id)
 */
export function requireKey(service: PetService): KeyHook {
  const authenticate = requireNodeKey(service)
  return async (request, reply) => {
    copyReplyHeaders(reply)
    if (!(await authenticate(request.raw, reply.raw))) {
      reply.hijack()
      return
    }
    const headers = reply.raw.getHeaders()
    rateLimitHeaders.set(reply.raw, headers)
    for (const [name, value] of Object.entries(headers)) reply.header(name, value)
  }
}

/**
 * Returns the caller for a request that {@link requireKey} has passed on.
 *
 * @typeParam Found The type of the service's callers, if its key store returns more than `Caller`.
 * @param request The Fastify request.
 * @throws {TypeError} If `requireKey` has not passed the request on.
 */
export function callerOf<Found extends Caller = Caller>(request: Pick<FastifyRequestLike, 'raw'>): Found {
  return findCaller<Found>(request.raw)
}

/** Copies reply headers from earlier hooks to Node's response, which the service writes directly. */
export function copyReplyHeaders(reply: FastifyReplyLike): void {
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
}

/** Restores rate limit headers that another plugin has replaced. */
export function restoreRateLimitHeaders(reply: FastifyReplyLike): void {
  for (const [name, value] of Object.entries(rateLimitHeaders.get(reply.raw) ?? {}))
    if (name.startsWith('x-ratelimit-')) reply.header(name, value)
}
