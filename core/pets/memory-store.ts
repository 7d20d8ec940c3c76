import { Generations } from '../base/generations.ts'
import { checkOptions } from '../base/options.ts'
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
 * @param options There are none.
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
  /** By their ids, from 1. The place of a removed animal stays empty, so each is found by its id at once. */
  const pets: (Pet | undefined)[] = []
  /** The ids of the animals of each status, and of all, ascending: a page of a rare status is found at once. */
  const ids: Record<PetStatus | 'all', number[]> = { all: [], available: [], pending: [], sold: [] }
  const pages = new PageCache()
  /** The creations by the token of their key. Each belongs to an animal that was created, which bounds their number. */
  const creations = new Generations<CreationKey & { readonly id: bigint }>()

  function listsOf({ status }: NewPet): number[][] {
    return status ? [ids.all, ids[status]] : [ids.all]
  }

  function create({ name, categoryId, status }: NewPet): Pet {
    const pet = frozenPet(BigInt(pets.length + 1), name, categoryId, status)
    pets.push(pet)
    for (const list of listsOf(pet)) list.push(pets.length)
    return pet
  }

  /** Puts another animal in the place of one, or none. */
  function replace(old: Pet, pet?: Pet): void {
    const id = Number(old.id)
    pets[id - 1] = pet
    for (const list of listsOf(old)) list.splice(placeOf(list, id), 1)
    if (pet) for (const list of listsOf(pet)) list.splice(placeOf(list, id), 0, id)
    pages.clear()
  }

  function list({ limit, status, after = 0n }: PetQuery): readonly Pet[] {
    const all = ids[status ?? 'all']
    const first = placeOf(all, Number(after) + 1)
    return all.slice(first, first + limit).map((id) => pets[id - 1] as Pet) // those of a list are stored
  }

  function findCreated({ token, fingerprint, now }: CreationKey): CreateOnceResult | undefined {
    const creation = creations.get(token)
    if (!creation || creation.expiresAt <= now) return undefined
    return creation.fingerprint === fingerprint
      ? { outcome: 'replayed', id: creation.id }
      : { outcome: 'reused' }
  }

  return {
    create,
    get: (id) => pets[Number(id) - 1],
    list,
    page: (query) => pages.page(query, list, pets.length),
    createOnce(pet, key) {
      const earlier = findCreated(key)
      if (earlier) return earlier
      const { id } = create(pet)
      creations.add(key.token, { ...key, id }, key.now, key.expiresAt)
      return { outcome: 'created', id }
    },
    findCreated,
    update(id, { name, categoryId, status }) {
      const old = pets[Number(id) - 1]
      if (!old) return undefined
      const newStatus = status === undefined ? old.status : status
      const pet = frozenPet(id, name ?? old.name, categoryId ?? old.categoryId, newStatus)
      replace(old, pet)
      return pet
    },
    remove(id) {
      const pet = pets[Number(id) - 1]
      if (pet) replace(pet)
      return pet !== undefined
    },
  }
}

/** Returns an animal that cannot be changed. With a spread in place of members, `core createPet` takes a third more. */
function frozenPet(id: bigint, name: string, categoryId: bigint, status?: PetStatus | null): Pet {
  return Object.freeze(status ? { id, name, categoryId, status } : { id, name, categoryId })
}

/** Returns the index of the first id of a list that is not below another. */
function placeOf(list: readonly number[], id: number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] ?? 0) < id) low = middle + 1
    else high = middle
  }
  return low
}
