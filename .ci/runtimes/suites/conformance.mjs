import { runConformance } from '../../../conformance/index.ts'
import {
  createKeyStore,
  createMemoryStore,
  createPetService,
  petStatuses,
  sha256,
} from '../../../core/index.ts'

const key = 'key-of-the-suite'

/** Creates a service with more animals than a page holds, of every status, since the rules need evidence. */
export function serviceWithAnimals() {
  const store = createMemoryStore()
  for (let i = 0; i < 30; i++) {
    store.create({ name: `Animal ${i}`, categoryId: BigInt(1 + (i % 3)), status: petStatuses[i % 3] })
  }
  return createPetService({
    keys: createKeyStore([{ id: 'suite', sha256: sha256(key), plan: 'pro' }]),
    store,
  })
}

/** What cannot be judged here: Deno and Bun do not name the connection of a request. */
const skip = globalThis.Deno || globalThis.Bun ? ['AUTH-17'] : []

/** Declares a test for each rule of the profile `create`, on such a service at a base URL. */
export async function conformanceSuite(baseUrl, { it }) {
  const { rules } = await runConformance({ baseUrl, key, profile: 'create', plan: 'pro', skip })
  for (const { id, verdict, reason } of rules) {
    if (verdict === 'not-run' || verdict === 'not-applicable') continue
    it(id, async () => {
      if (verdict !== 'pass') throw new Error(`${verdict}: ${reason}`)
    })
  }
}
