import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createFetchHandler } from 'pet-adoption-service/fetch'
import type { Account } from './account.ts'
import { createDurableLimiter } from './limiter.ts'
import { createD1Store } from './store.ts'

export { Account } from './account.ts'

type Bindings = { ACCOUNTS: DurableObjectNamespace<Account>; DATABASE: D1Database }

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
const client = (request: Request) => request.headers.get('CF-Connecting-IP')
const fallback = () => new Response('The shelter is open.')
let pets: ((request: Request) => Promise<Response>) | undefined

// biome-ignore lint/style/noDefaultExport: a Worker's handlers are its default export
export default {
  fetch(request: Request, { ACCOUNTS, DATABASE }: Bindings): Promise<Response> {
    const parts = { keys, store: createD1Store(DATABASE), limiter: createDurableLimiter(ACCOUNTS) }
    pets ??= createFetchHandler(createPetService(parts), { client, fallback })
    return pets(request)
  },
}
