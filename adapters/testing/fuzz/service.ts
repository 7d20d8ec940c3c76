import { createPetService, type PetService } from '../../../core/index.ts'

const limits = { minute: 100_000_000, day: 100_000_000 }

/** A service whose one key is never refused, and which believes its proxy. */
export function fuzzedService(): PetService {
  return createPetService({
    keys: { find: (token) => (token === 'good' ? { id: 'good', plan: 'enterprise', limits } : undefined) },
    trustProxy: 1,
  })
}
