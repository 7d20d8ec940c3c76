import {
  createKeyStore,
  createMemoryStore,
  createPetService,
  petStatuses,
  sha256,
} from '../../../core/index.ts'

export const key = 'key-of-the-suite'

export function serviceWithAnimals() {
  const store = createMemoryStore()
  for (let i = 0; i < 30; i++)
    store.create({ name: `Animal ${i}`, categoryId: BigInt(1 + (i % 3)), status: petStatuses[i % 3] })
  return createPetService({
    keys: createKeyStore([{ id: 'suite', sha256: sha256(key), plan: 'pro' }]),
    store,
  })
}
