import {
  createKeyStore,
  createMemoryLimiter,
  createMemoryStore,
  createPetService,
  type PetService,
  sha256,
} from '../../../dist/core/index.js'
import { key, limits, makePets } from '../world.ts'

const store = createMemoryStore()
for (const { name, categoryId, status } of makePets())
  store.create({ name, categoryId: BigInt(categoryId), status })

/** A service of the built package, with everything in memory. */
export const service: PetService = createPetService({
  store,
  limiter: createMemoryLimiter(),
  keys: createKeyStore([{ id: 'bench', sha256: sha256(key), plan: 'enterprise', limits }]),
})
