// A test server with the hooks of the recipe that the variable HOOKS names. Its store fails to read animal 13.
import type { RequestListener } from 'node:http'
import {
  createKeyStore,
  createMemoryStore,
  createPetService,
  type ServiceOptions,
  sha256,
} from 'pet-adoption-service'
import { createPetServer } from 'pet-adoption-service/node'

type Recipe = Pick<ServiceOptions, 'onResponse' | 'onError'> & { readonly serveMetrics?: RequestListener }

const { serveMetrics, ...hooks }: Recipe = await import(`../${process.env.HOOKS}.ts`)
const store = createMemoryStore()
const service = createPetService({
  keys: createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }]),
  requestId: () => 'request-1',
  ...hooks,
  store: {
    ...store,
    get(id) {
      if (id === 13n) throw new Error('the database is unavailable')
      return store.get(id)
    },
  },
})
const server = createPetServer(service, {
  shutdown: { idleMs: 0 },
  ...(serveMetrics && { fallback: serveMetrics }),
})
server.listen(Number(process.env.PORT), '127.0.0.1')
process.once('SIGTERM', () => server.close())
