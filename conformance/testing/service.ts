import {
  createKeyStore,
  createMemoryStore,
  createPetService,
  type PetService,
  petStatuses,
} from '../../core/index.ts'

/** Creates a service that lists 120 animals. */
export async function createServiceWithAnimals(
  keys: Parameters<typeof createKeyStore>[0],
  clock: () => number,
): Promise<PetService> {
  const store = createMemoryStore()
  for (let n = 0; n < 120; n++) {
    await store.create({
      name: `Animal ${n}`,
      categoryId: BigInt(n % 5) + 1n,
      status: petStatuses[n % 3] ?? 'sold',
    })
  }
  return createPetService({ store, keys: createKeyStore(keys), clock })
}
