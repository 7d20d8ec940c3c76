import { ExpiringMap } from '../base/expiring-map.ts'
import { findLowerBound } from '../base/lower-bound.ts'
import { checkOptions } from '../base/options.ts'
import { toPage } from './page.ts'
import { PageCache } from './page-cache.ts'
import type { NewPet, Pet, PetStatus } from './pet.ts'
import type { CreateOnceResult, CreationKey, PetQuery, PetStore } from './store.ts'

/** A pet store in memory. It has all optional methods, and returns results without promises. */
export type MemoryStore = {
  readonly [Method in keyof PetStore]-?: (
    ...parameters: Parameters<NonNullable<PetStore[Method]>>
  ) => Awaited<ReturnType<NonNullable<PetStore[Method]>>>
}

/**
 * Creates a pet store in memory. Its animals are frozen objects, and are lost when the process stops.
 *
 * @param options - There are no options yet.
 * @throws {TypeError} If an option is given. The message names the option.
 *
 * @example
 * import { createMemoryStore } from 'pet-adoption-service'
 *
 * const store = createMemoryStore()
 * store.create({ name: 'Mia', categoryId: 3n, status: 'available' }).id // 1n
 * store.update(1n, { status: 'sold' })?.status // 'sold'
 */
export function createMemoryStore(options: Readonly<Record<never, never>> = {}): MemoryStore {
  checkOptions(options, {})
  /** The animal with ID n is at index n - 1. A removed animal is `undefined`. */
  const pets: (Pet | undefined)[] = []
  /**
   * All IDs, and the IDs by status, in ascending order. Thus listing animals by a rare status does not scan all
   * animals.
   */
  const idsByStatus: Record<PetStatus | 'all', number[]> = { all: [], available: [], pending: [], sold: [] }
  const pageCache = new PageCache()
  /** Creations with an idempotency key, by token. Each one belongs to an animal, so their number is bounded. */
  const creations = new ExpiringMap<CreationKey & { readonly id: bigint }>()

  function getIdLists({ status }: NewPet): number[][] {
    return status ? [idsByStatus.all, idsByStatus[status]] : [idsByStatus.all]
  }

  const getPet = (id: bigint): Pet | undefined => pets[Number(id) - 1]

  function create({ name, categoryId, status }: NewPet): Pet {
    const pet = createFrozenPet(BigInt(pets.length + 1), name, categoryId, status)
    pets.push(pet)
    for (const list of getIdLists(pet)) list.push(pets.length)
    return pet
  }

  /** Replaces an animal, or removes it if there is no new one. */
  function replacePet(old: Pet, pet?: Pet): void {
    const id = Number(old.id)
    pets[id - 1] = pet
    for (const list of getIdLists(old)) list.splice(findLowerBound(list, id), 1)
    if (pet) for (const list of getIdLists(pet)) list.splice(findLowerBound(list, id), 0, id)
    pageCache.clear()
  }

  function list({ limit, status, after = 0n }: PetQuery): readonly Pet[] {
    const matchingIds = idsByStatus[status ?? 'all']
    const firstIndex = findLowerBound(matchingIds, Number(after) + 1)
    return matchingIds.slice(firstIndex, firstIndex + limit).map((id) => pets[id - 1] as Pet) // removed animals are not listed
  }

  const readPage = (query: PetQuery) => toPage(list({ ...query, limit: query.limit + 1 }), query.limit)

  function findCreated({ token, fingerprint, now }: CreationKey): CreateOnceResult | undefined {
    const creation = creations.get(token)
    if (!creation || creation.expiresAt <= now) return undefined
    return creation.fingerprint === fingerprint
      ? { outcome: 'replayed', id: creation.id }
      : { outcome: 'reused' }
  }

  return {
    create,
    get: getPet,
    list,
    page: (query) =>
      query.after === undefined ? pageCache.getPage(query, readPage, pets.length) : readPage(query),
    createOnce(pet, key) {
      const earlierCreation = findCreated(key)
      if (earlierCreation) return earlierCreation
      const { id } = create(pet)
      creations.set(key.token, { ...key, id }, key.now, key.expiresAt)
      return { outcome: 'created', id }
    },
    findCreated,
    update(id, { name, categoryId, status }) {
      const oldPet = getPet(id)
      if (!oldPet) return undefined
      const newStatus = status === undefined ? oldPet.status : status
      const pet = createFrozenPet(id, name ?? oldPet.name, categoryId ?? oldPet.categoryId, newStatus)
      replacePet(oldPet, pet)
      return pet
    },
    remove(id) {
      const pet = getPet(id)
      if (pet) replacePet(pet)
      return pet !== undefined
    },
  }
}

function createFrozenPet(id: bigint, name: string, categoryId: bigint, status?: PetStatus | null): Pet {
  return Object.freeze({ id, name, categoryId, ...(status && { status }) })
}
