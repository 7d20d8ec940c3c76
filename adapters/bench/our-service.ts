import {
  createKeyStore,
  createMemoryLimiter,
  createMemoryStore,
  createPetService,
  type PetService,
  sha256,
} from '../../dist/core/index.js'
import { type Animal, key, limits } from './world.ts'

/** The service as it is built, with everything in memory. */
export function createService(animals: readonly Animal[]): PetService {
  const store = createMemoryStore()
  for (const { name, categoryId, status } of animals)
    store.create({ name, categoryId: BigInt(categoryId), status })
  return createPetService({
    store,
    limiter: createMemoryLimiter(),
    keys: createKeyStore([{ id: 'bench', sha256: sha256(key), plan: 'enterprise', limits }]),
  })
}
