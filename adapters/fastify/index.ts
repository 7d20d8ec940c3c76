import type { RequestListener } from 'node:http'
import type { PetService } from '../../core/index.ts'
import { checkOptions } from '../../core/internal.ts'
import { createDrain, type ShutdownOptions, shutdownOptionRules } from '../node-http/drain.ts'
import { createNodeHandler, type HardenOptions, hardenServer, serverOptions } from '../node-http/index.ts'
import { copyReplyHeaders, restoreRateLimitHeaders } from './require-key.ts'
import type { FastifyLike, FastifyRequestLike } from './structure.ts'

export { callerOf, type KeyHook, requireKey } from './require-key.ts'
export type { FastifyLike, FastifyReplyLike, FastifyRequestLike } from './structure.ts'

/** Options for {@link petAdoption}, with the limits of `hardenServer`. */
export interface PetAdoptionOptions extends HardenOptions {
  /** The service, created by `createPetService`. */
  readonly service: PetService
  /** Times for the graceful shutdown that `app.close` starts. */
  readonly shutdown?: ShutdownOptions
}

/**
 * A Fastify plugin that serves the interface: `app.register(petAdoption, { service })`.
 *
 * Create the app with `fastify({ http: serverOptions })`, because some server options cannot change later. Register the
 * plugin before other plugins with a `preClose` hook. Listen on one address: for further addresses of `localhost`,
 * Fastify creates other servers, which are not hardened.
 *
 * An `onRequest` hook responds to every request below the base path. Earlier hooks see these requests, and the headers
 * that they set are kept. The app's own routes below the base path still work. The service also responds to malformed
 * requests, oversized heads and timeouts, as with `hardenServer`. `app.close()` serves requests until no connection is
 * open.
 *
 * @throws {TypeError} If the service is invalid, an option is unknown or invalid, or the server speaks HTTP/2.
 *
 * @example
 * import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
 * import { petAdoption } from 'pet-adoption-service/fastify'
 * import { serverOptions } from 'pet-adoption-service/node'
 *
 * const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
 * const service = createPetService({ keys })
 * // const app = fastify({ http: serverOptions })
 * // app.register(petAdoption, { service })
 */
export const petAdoption: (app: FastifyLike, options: PetAdoptionOptions) => Promise<void> = Object.assign(
  mountService,
  {
    // Fastify adds the plugin's hooks to the app itself.
    [Symbol.for('skip-override')]: true,
    [Symbol.for('fastify.display-name')]: 'pet-adoption-service',
  },
)

async function mountService(app: FastifyLike, options: PetAdoptionOptions): Promise<void> {
  const { service, shutdown = {}, ...bounds } = options
  checkOptions(shutdown, shutdownOptionRules, 'options.shutdown')
  const { server } = app
  const pets = createNodeHandler(service)
  const [serveApp = pets] = server.listeners('request') as RequestListener[] // the listener that Fastify has added
  takeOverServer(app)
  hardenServer(server, service, bounds)
  const drain = createDrain(server, shutdown)
  const isRejectedByFastify = (url: string) => drain.hasBegun || !isRoutable(url)

  server.on('request', (req, res) => {
    const { url = '' } = req
    if (service.matches(url) && isRejectedByFastify(url)) pets(req, res)
    else serveApp(req, res)
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (!service.matches(request.raw.url ?? '') || isAppRoute(request, service.basePath)) return done()
    reply.hijack()
    copyReplyHeaders(reply)
    pets(request.raw, reply.raw)
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    restoreRateLimitHeaders(reply)
    done()
  })
  app.addHook('preClose', (done) => {
    if (!server.listening) return done()
    server.once('close', () => done())
    drain.begin()
  })
}

/** Removes Fastify's listeners, and sets the server options that can still change. */
function takeOverServer({ server, log }: FastifyLike): void {
  const { headersTimeout, requestTimeout, keepAliveTimeout } = serverOptions
  if (server.headersTimeout !== headersTimeout)
    log.warn(
      'pet-adoption-service: the server was created without serverOptions; create the app with fastify({ http: serverOptions })',
    )
  Object.assign(server, { headersTimeout, requestTimeout, keepAliveTimeout })
  server.removeAllListeners('request').removeAllListeners('clientError')
}

/** Returns whether the app has its own route for a path below the base path. A wildcard such as `/*` does not count. */
function isAppRoute({ routeOptions }: FastifyRequestLike, basePath: string): boolean {
  return routeOptions.url?.startsWith(`${basePath}/`) === true
}

/**
 * Returns whether Fastify can route a URL. It cannot if the URL is not decodable or, on Deno, is absolute. Fastify then
 * responds before any hook runs.
 */
function isRoutable(url: string): boolean {
  if ('Deno' in globalThis && !url.startsWith('/')) return false
  try {
    decodeURI(url)
    return true
  } catch {
    return false
  }
}
