import { createPetService, type PetService } from '../../../core/index.ts'

const limits = { minute: 100_000_000, day: 100_000_000 }

/** Creates a service whose one key is never rate-limited, behind one trusted proxy. */
export function fuzzedService(): PetService {
  return createPetService({
    keys: { find: (token) => (token === 'good' ? { id: 'good', plan: 'enterprise', limits } : undefined) },
    trustProxy: 1,
  })
}
