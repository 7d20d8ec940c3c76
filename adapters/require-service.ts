import type { PetService } from '../core/index.ts'

/**
 * Checks the service that a mount is given.
 *
 * @throws {TypeError} It is no service.
 */
export function requireService(service: PetService): void {
  if (typeof service?.handle !== 'function')
    throw new TypeError('The first argument must be a service: create it with createPetService.')
}
