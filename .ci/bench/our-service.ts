import {
  createKeyStore,
  createMemoryLimiter,
  createMemoryStore,
  createPetService,
  type PetService,
  type PetStore,
  sha256,
} from '../../dist/core/index.js'
import { changePath, nextStatus } from './mix.ts'
import { key, limits, type Pet } from './world.ts'

/** Creates a service of the built package, with the limiter and the keys in memory and with `pets` in the store. */
export async function createService(
  pets: readonly Pet[],
  store: PetStore = createMemoryStore(),
): Promise<PetService> {
  for (const { name, categoryId, status } of pets)
    await store.create({ name, categoryId: BigInt(categoryId), status })
  return createPetService({
    store,
    limiter: createMemoryLimiter(),
    keys: createKeyStore([{ id: 'bench', sha256: sha256(key), plan: 'enterprise', limits }]),
  })
}

/** Changes the animal that the path of a change names: it gets the next status. */
export async function changePet(store: PetStore, path: string): Promise<void> {
  const id = BigInt(path.slice(changePath.length))
  const pet = await store.get(id)
  await store.update?.(id, { status: nextStatus(pet?.status) })
}
