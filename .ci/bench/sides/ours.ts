// The package's fetch handler on Deno or Bun, with the benchmark's animals in memory.
import { createFetchHandler } from '../../../dist/adapters/fetch/index.js'
import {
  createKeyStore,
  createMemoryLimiter,
  createMemoryStore,
  createPetService,
  sha256,
} from '../../../dist/core/index.js'
import { key, limits, makePets } from '../world.ts'
import { listenFetch } from './listen.ts'

const store = createMemoryStore()
for (const { name, categoryId, status } of makePets())
  store.create({ name, categoryId: BigInt(categoryId), status })

const service = createPetService({
  store,
  limiter: createMemoryLimiter(),
  keys: createKeyStore([{ id: 'bench', sha256: sha256(key), plan: 'enterprise', limits }]),
})
listenFetch(createFetchHandler(service))
