import { ExpiringMap } from '../base/expiring-map.ts'
import { checkOptions } from '../base/options.ts'
import { indexIn } from '../base/sorted.ts'
import { toPage } from './page.ts'
import { PageCache } from './page-cache.ts'
import type { NewPet, Pet, PetStatus } from './pet.ts'
import type { CreateOnceResult, CreationKey, PetQuery, PetStore } from './store.ts'

/** A store that has every method, and returns its results without a promise. */
export type MemoryStore = {
  readonly [Method in keyof PetStore]-?: (
    ...parameters: Parameters<NonNullable<PetStore[Method]>>
  ) => Awaited<ReturnType<NonNullable<PetStore[Method]>>>
}

/**
 * Creates a store in memory. Its animals are lost when the process ends. They are frozen.
 *
 * @param options Must be empty.
 * @throws {TypeError} An option is given; the message names it.
 * @example
 * import { createMemoryStore } from 'pet-adoption-service'
 *
 * const store = createMemoryStore()
 * store.create({ name: 'Mia', categoryId: 3n, status: 'available' }).id // 1n
 * store.update(1n, { status: 'sold' })?.status // 'sold'
 */
export function createMemoryStore(options: Readonly<Record<never, never>> = {}): MemoryStore {
  checkOptions(options, {})
  /** The animals by their ids less 1; undefined after a removal. */
  const pets: (Pet | undefined)[] = []
  /** Ascending ids of all animals, and by status: a page of a rare status needs no scan. */
  const ids: Record<PetStatus | 'all', number[]> = { all: [], available: [], pending: [], sold: [] }
  /** The first pages. Pages behind a cursor are too many. */
  const pages = new PageCache()
  /** The creations by token. Each one belongs to an animal, which bounds their number. */
  const creations = new ExpiringMap<CreationKey & { readonly id: bigint }>()

  function findLists({ status }: NewPet): number[][] {
    return status ? [ids.all, ids[status]] : [ids.all]
  }

  const get = (id: bigint): Pet | undefined => pets[Number(id) - 1]

  function create({ name, categoryId, status }: NewPet): Pet {
    const pet = frozenPet(BigInt(pets.length + 1), name, categoryId, status)
    pets.push(pet)
    for (const list of findLists(pet)) list.push(pets.length)
    return pet
  }

  /** Puts another animal in the place of one, or none. */
  function replace(old: Pet, pet?: Pet): void {
    const id = Number(old.id)
    pets[id - 1] = pet
    for (const list of findLists(old)) list.splice(indexIn(list, id), 1)
    if (pet) for (const list of findLists(pet)) list.splice(indexIn(list, id), 0, id)
    pages.clear()
  }

  function list({ limit, status, after = 0n }: PetQuery): readonly Pet[] {
    const matching = ids[status ?? 'all']
    const first = indexIn(matching, Number(after) + 1)
    return matching.slice(first, first + limit).map((id) => pets[id - 1] as Pet) // a list has no id of a removed one
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
    get,
    list,
    page: (query) => (query.after === undefined ? pages.page(query, readPage, pets.length) : readPage(query)),
    createOnce(pet, key) {
      const earlier = findCreated(key)
      if (earlier) return earlier
      const { id } = create(pet)
      creations.set(key.token, { ...key, id }, key.now, key.expiresAt)
      return { outcome: 'created', id }
    },
    findCreated,
    update(id, { name, categoryId, status }) {
      const old = get(id)
      if (!old) return undefined
      const newStatus = status === undefined ? old.status : status
      const pet = frozenPet(id, name ?? old.name, categoryId ?? old.categoryId, newStatus)
      replace(old, pet)
      return pet
    },
    remove(id) {
      const pet = get(id)
      if (pet) replace(pet)
      return pet !== undefined
    },
  }
}

/** Returns an animal that cannot be changed. */
function frozenPet(id: bigint, name: string, categoryId: bigint, status?: PetStatus | null): Pet {
  return Object.freeze({ id, name, categoryId, ...(status && { status }) })
}
