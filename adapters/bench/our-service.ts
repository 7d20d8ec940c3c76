import {
  createKeyStore,
  createMemoryLimiter,
  createMemoryStore,
  createPetService,
  type PetService,
  type PetStore,
  sha256,
} from '../../dist/core/index.js'
import { type Animal, key, limits } from './world.ts'

/** The service as it is built, with limits and keys in memory, and animals in the store. */
export async function createService(
  animals: readonly Animal[],
  store: PetStore = createMemoryStore(),
): Promise<PetService> {
  for (const { name, categoryId, status } of animals)
    await store.create({ name, categoryId: BigInt(categoryId), status })
  return createPetService({
    store,
    limiter: createMemoryLimiter(),
    keys: createKeyStore([{ id: 'bench', sha256: sha256(key), plan: 'enterprise', limits }]),
  })
}
