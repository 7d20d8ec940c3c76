import { deepFreeze } from '../base/deep-freeze.ts'
import type { PetStore } from '../pets/store.ts'
import { createPet } from './createPet.ts'
import { getPet } from './getPet.ts'
import { listPets } from './listPets.ts'
import type { Operation } from './operation.ts'

/** An operation ID (spec 1). */
export type OperationId = 'listPets' | 'createPet' | 'getPet'

/**
 * All operations. Routing, `Allow`, CORS, deprecation headers, documentation and metrics use this table.
 *
 * @example
 * import { operations } from 'pet-adoption-service'
 *
 * operations.map(({ method, path }) => `${method} ${path}`) // ['GET /pets', 'POST /pets', 'GET /pets/{petId}']
 */
export const operations: readonly Operation<OperationId>[] = deepFreeze([listPets, createPet, getPet])

/** Returns the operations whose required methods the store has. */
export function listSupportedOperations(store: PetStore): readonly Operation<OperationId>[] {
  return operations.filter(({ requires }) => requires.every((method) => store[method]))
}
