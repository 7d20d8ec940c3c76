import type { Server } from 'node:http'
import type { PetService } from '../../core/index.ts'
import { checkOptions, functionRule, isObject } from '../../core/internal.ts'
import { createDrain, type ShutdownOptions, shutdownOptionRules } from './drain.ts'
import { createNodeHandler, type NodeHandlerOptions } from './handler.ts'
import {
  dedicatedServerOptions,
  type HardenOptions,
  hardenOptionRules,
  hardenServer,
  serverOptions,
} from './harden.ts'
import { http } from './http.ts'

/** Options for {@link createPetServer}. */
export interface PetServerOptions extends HardenOptions {
  /**
   * Handles requests outside the base path, such as an Express app. By default they get a 404. Without a fallback,
   * requests without a body emit no `end` on Node 24.12 and later.
   */
  readonly fallback?: NonNullable<NodeHandlerOptions['fallback']>
  /** Times for the graceful shutdown. */
  readonly shutdown?: ShutdownOptions
}

/** A `node:http` server that shuts down without losing requests. */
export interface PetServer extends Server {
  /** Whether `close` was called. */
  readonly isClosing: boolean
  /**
   * Shuts the server down without losing a request.
   *
   * From the call on, each connection closes after its latest response, and idle connections close after `idleMs`. New
   * connections are accepted until `acceptMs` has passed or none is open. After that, the server stops listening when
   * no connection has arrived for 50 ms, or after one second. Responses keep their connections alive until then. After
   * `acceptMs`, a client that sends no complete head counts as idle. Connections that are still busy at `deadlineMs`
   * are destroyed.
   *
   * @param callback Called when every connection is closed. It receives an error with the code
   * `ERR_CONNECTIONS_CUT_OFF` if connections were busy at the deadline, or `ERR_SERVER_NOT_RUNNING` if the server is
   * not listening.
   */
  close(callback?: (error?: Error) => void): this
}

/**
 * Creates a hardened server for the interface, which shuts down gracefully. Its options are
 * {@link dedicatedServerOptions}, or {@link serverOptions} if there is a fallback.
 *
 * For an HTTPS server, or one with other listeners, use {@link createNodeHandler} and {@link hardenServer}.
 *
 * @param service The service, created by `createPetService`.
 * @param options Limits, shutdown times, and a handler for other requests.
 * @throws {TypeError} If the service is invalid, or an option is unknown or invalid.
 *
 * @example
 * import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
 * import { createPetServer } from 'pet-adoption-service/node'
 *
 * const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
 * const server = createPetServer(createPetService({ keys }))
 * server.listen(8080)
 * process.once('SIGTERM', () => server.close())
 */
export function createPetServer(service: PetService, options: PetServerOptions = {}): PetServer {
  checkOptions(options, { fallback: functionRule, ...hardenOptionRules, shutdown: [isObject, 'an object'] })
  const { fallback, shutdown = {}, ...hardening } = options
  checkOptions(shutdown, shutdownOptionRules, 'options.shutdown')
  // An undefined fallback counts as absent.
  const handler = createNodeHandler(service, fallback ? { fallback } : {})
  const server = http.createServer(fallback ? serverOptions : dedicatedServerOptions, handler)
  hardenServer(
    server,
    service,
    hardening satisfies Record<Exclude<keyof typeof hardening, keyof HardenOptions>, never>,
  )
  const drain = createDrain(server, shutdown)

  const closeImmediately = server.close.bind(server)
  function close(callback?: (error?: Error) => void): Server {
    if (!server.listening && !drain.hasBegun) return closeImmediately(callback)
    const message = () => `${drain.cutOffCount} connections were still busy at the deadline and were closed`
    const failure = () => Object.assign(new Error(message()), { code: 'ERR_CONNECTIONS_CUT_OFF' })
    server.once('close', () => callback?.(drain.cutOffCount > 0 ? failure() : undefined))
    drain.begin()
    return server
  }
  return Object.defineProperties(server, {
    close: { value: close },
    isClosing: { get: () => drain.hasBegun },
  }) as PetServer // both members were just defined
}
