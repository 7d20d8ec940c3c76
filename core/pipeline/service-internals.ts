import type { MaybePromise } from '../base/maybe-promise.ts'
import type { ApiError } from '../http/errors.ts'
import type { ServiceRequest, ServiceResponse } from '../http/http.ts'

/** The member of a service that holds its internals. Services of every copy of this package have it. */
export const internals: unique symbol = Symbol.for('pet-adoption-service.internals')

/** The sender of a request: the address of its connection, and its `X-Forwarded-For`. */
export type Peer = Pick<ServiceRequest, 'client' | 'header'>

/** The members of a service that only the mounts of this package use. */
export interface ServiceInternals {
  /** The maximum length of a body. */
  readonly maxBodyBytes: number
  /** Responds to a request that could not be parsed or timed out, and charges the address. Never throws or rejects. */
  rejectUnparsed(error: ApiError, peer: Peer): MaybePromise<ServiceResponse>
  /** Adds the rate-limit headers of the peer's address to a response. Charges nothing. Never throws or rejects. */
  withRateLimit(response: ServiceResponse, peer: Peer): MaybePromise<ServiceResponse>
  /** Reports a problem of the mount to `onError`. */
  report(cause: unknown): void
}

/** Returns a request that has a sender and nothing else. */
export function createUnparsedRequest(peer: Peer): ServiceRequest {
  return {
    method: '',
    target: '',
    httpVersion: undefined,
    client: peer.client,
    header: (name) => peer.header(name),
    body: () => new Uint8Array(),
  }
}

/**
 * Returns the internals of a service.
 *
 * @throws {TypeError} The value is not a service of `createPetService`, nor a copy of one.
 */
export function readInternals(service: unknown): ServiceInternals {
  const found = (service as { [internals]?: ServiceInternals } | null | undefined)?.[internals] // safe for any value
  if (found) return found
  const got = service === null ? 'null' : typeof service
  throw new TypeError(`expected a service created by createPetService, got ${got}`)
}
