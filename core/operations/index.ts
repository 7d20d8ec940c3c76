import { deepFreeze } from '../base/deep-freeze.ts'
import type { PetStore } from '../pets/store.ts'
import { createPet } from './createPet.ts'
import { getPet } from './getPet.ts'
import { listPets } from './listPets.ts'
import type { Operation } from './operation.ts'

/** The ids that the interface gives its operations (spec 1). */
export type OperationId = 'listPets' | 'createPet' | 'getPet'

/**
 * All operations. Routing, `Allow`, CORS, the deprecation headers, the OpenAPI description, `/docs`, metrics and tests
 * read this table.
 *
 * @example
 * import { operations } from 'pet-adoption-service'
 *
 * operations.map(({ method, path }) => `${method} ${path}`) // ['GET /pets', 'POST /pets', 'GET /pets/{petId}']
 */
export const operations: readonly Operation<OperationId>[] = deepFreeze([listPets, createPet, getPet])

/** Returns the operations that a service with this store offers. */
export function listSupportedOperations(store: PetStore): readonly Operation<OperationId>[] {
  return operations.filter((operation) => operation.isSupported(store))
}
