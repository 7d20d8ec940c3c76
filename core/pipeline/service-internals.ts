import type { MaybePromise } from '../base/maybe-promise.ts'
import type { ApiError } from '../http/errors.ts'
import type { ServiceRequest, ServiceResponse } from '../http/http.ts'

/** Key for a service's internals. All copies of the package share this symbol. */
export const internalsKey: unique symbol = Symbol.for('pet-adoption-service.internals')

/** What identifies a client: the connection's address, and the request headers. */
export type Peer = Pick<ServiceRequest, 'clientAddress' | 'header'>

/** What only this package's mounts need from a service. */
export interface ServiceInternals {
  /** Maximum request body length, in bytes. */
  readonly maxBodyBytes: number
  /**
   * Creates the response to a request that could not be parsed or timed out, and charges it to the client address. The
   * promise never rejects.
   */
  rejectUnparsed(error: ApiError, peer: Peer): MaybePromise<ServiceResponse>
  /**
   * Adds the client address's rate limit headers to a response, without charging a request. The promise never rejects.
   */
  addRateLimitHeaders(response: ServiceResponse, peer: Peer): MaybePromise<ServiceResponse>
  /** Passes an error to `options.onError`. */
  reportError(cause: unknown): void
}

/** Creates a request without method, target and body. */
export function createUnparsedRequest(peer: Peer): ServiceRequest {
  return {
    method: '',
    target: '',
    httpVersion: undefined,
    clientAddress: peer.clientAddress,
    header: (name) => peer.header(name),
    body: () => new Uint8Array(),
  }
}

/**
 * Returns a service's internals.
 *
 * @throws {TypeError} If the value is neither a service from `createPetService` nor a copy of one.
 */
export function readInternals(service: unknown): ServiceInternals {
  // `?.` handles null and undefined.
  const foundInternals = (service as { [internalsKey]?: ServiceInternals } | null | undefined)?.[internalsKey]
  if (foundInternals) return foundInternals
  const actualType = service === null ? 'null' : typeof service
  throw new TypeError(`expected a service created by createPetService, got ${actualType}`)
}
