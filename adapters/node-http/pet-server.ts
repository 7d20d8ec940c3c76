import type { Server } from 'node:http'
import type { PetService } from '../../core/index.ts'
import { aFunction, checkOptions } from '../../core/internal.ts'
import { createDrain, type DrainTimes, drainRules } from './drain.ts'
import { createNodeHandler, type NodeHandlerOptions } from './handler.ts'
import { dedicatedServerOptions, type HardenOptions, hardenRules, hardenServer } from './harden.ts'
import { http } from './http.ts'

/** Options of `createPetServer`. All have a default. */
export interface PetServerOptions extends HardenOptions, DrainTimes {
  /**
   * Handles requests outside the base path. By default the service responds with a 404. From Node 24.12 on,
   * a request without a body emits no `end`.
   */
  readonly fallback?: NonNullable<NodeHandlerOptions['fallback']>
}

/** A server of node:http whose `close` is graceful. */
export interface PetServer extends Server {
  /** True after `close` was called. */
  readonly isClosing: boolean
  /**
   * Closes the server without losing a request.
   *
   * From the call on, the last response of each connection says `Connection: close`. Idle connections close after
   * `quietMs`. New connections are accepted until none is open, for at most `acceptMs`. Then the server stops listening
   * when no new connection has come for 50 ms, within a second. Meanwhile responses leave their connections open. After
   * `acceptMs`, clients that send no whole head count as idle. After `deadlineMs`, busy connections are cut off.
   *
   * @param callback Called when no connection is open. Its error has the code `ERR_CONNECTIONS_CUT_OFF` if connections
   * were busy at the deadline, and `ERR_SERVER_NOT_RUNNING` if the server did not listen.
   */
  close(callback?: (error?: Error) => void): this
}

/**
 * Creates a server for the service, with a graceful `close`. It has the options of `dedicatedServerOptions` and the
 * bounds of `hardenServer`.
 *
 * For an HTTPS server, or one that also serves other things, use `createNodeHandler` and `hardenServer`.
 *
 * @param service From `createPetService`.
 * @throws {TypeError} `service` is not a service, or an option is unknown or invalid.
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
  checkOptions(options, { fallback: aFunction, ...hardenRules, ...drainRules })
  const { fallback, maxConnections, onConnectionRefused } = options
  // In both, undefined counts as left out.
  const handler = createNodeHandler(service, { fallback } as NodeHandlerOptions)
  const server = http.createServer(dedicatedServerOptions)
  hardenServer(server, service, { maxConnections, onConnectionRefused } as HardenOptions)
  const drain = createDrain(server, options)
  server.on('request', drain.watch(handler))

  const closeAtOnce = server.close.bind(server)
  function close(callback?: (error?: Error) => void): Server {
    if (!server.listening && !drain.begun) return closeAtOnce(callback)
    const message = () => `${drain.cutOff} connections were still busy at the deadline and were cut off`
    const failure = () => Object.assign(new Error(message()), { code: 'ERR_CONNECTIONS_CUT_OFF' })
    server.once('close', () => callback?.(drain.cutOff > 0 ? failure() : undefined))
    drain.begin()
    return server
  }
  return Object.defineProperties(server, {
    close: { value: close },
    isClosing: { get: () => drain.begun },
  }) as PetServer // it has both members now
}
