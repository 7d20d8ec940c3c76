import {
  createKeyStore,
  createMemoryStore,
  createPetService,
  type PetService,
  petStatuses,
} from '../../core/index.ts'

/** Returns the service with these keys, and with more animals than a page holds, of every status. */
export async function serviceWithAnimals(
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
