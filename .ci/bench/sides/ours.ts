// A service of the built package, with everything in memory, on the server of the current runtime.
import { createFetchHandler } from '../../../dist/adapters/fetch.js'
import { createPetServer } from '../../../dist/adapters/node-http.js'
import {
  createKeyStore,
  createMemoryLimiter,
  createMemoryStore,
  createPetService,
  sha256,
} from '../../../dist/core/index.js'
import { key, limits, makePets } from '../world.ts'
import { listen } from './listen.ts'
import { isFetchRuntime, listenFetch } from './listen-fetch.ts'

const store = createMemoryStore()
for (const { name, categoryId, status } of makePets())
  store.create({ name, categoryId: BigInt(categoryId), status })

const service = createPetService({
  store,
  limiter: createMemoryLimiter(),
  keys: createKeyStore([{ id: 'bench', sha256: sha256(key), plan: 'enterprise', limits }]),
})
if (isFetchRuntime) listenFetch(createFetchHandler(service))
else listen(createPetServer(service))
