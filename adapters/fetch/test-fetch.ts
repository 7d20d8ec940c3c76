import type { PetService } from '../../core/index.ts'
import { createFetchHandler } from './handler.ts'

/** A function that can replace `fetch`. */
export type TestFetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>

/**
 * Creates a `fetch` function that sends requests to a service in the same process, without a port, for testing code
 * that uses the API. The host in a URL is ignored.
 *
 * @param service - From `createPetService`.
 * @param clientAddress - The client address for every request, `127.0.0.1` by default.
 * @throws {TypeError} The service was not created by `createPetService`.
 *
 * @example
 * import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
 * import { createPetClient } from 'pet-adoption-service/client'
 * import { createTestFetch } from 'pet-adoption-service/fetch'
 *
 * const apiKey = 'my-first-long-api-key'
 * const keys = createKeyStore([{ id: 'shelter', sha256: sha256(apiKey), plan: 'pro' }])
 * const fetch = createTestFetch(createPetService({ keys }))
 * const pets = createPetClient({ baseUrl: 'http://pets.test/v1', apiKey, fetch })
 * const rex = await pets.create({ name: 'Rex', categoryId: 7n })
 * await pets.get(rex.id)
 */
export function createTestFetch(service: PetService, clientAddress = '127.0.0.1'): TestFetch {
  const handler = createFetchHandler(service, { clientAddress: () => clientAddress })
  return async (input, init) => handler(new Request(input, init))
}
