import { createGenerations } from '../base/generations.ts'
import { checkOptions, withoutUndefined } from '../base/options.ts'
import { createPageCache } from './page-cache.ts'
import type { NewPet, Pet } from './pet.ts'
import { createPetTable } from './pet-table.ts'
import type { CreateOnceResult, CreationKey, PetChanges, PetPage, PetQuery, PetStore } from './store.ts'

/** A store that returns its results without a promise. */
export interface MemoryStore extends PetStore {
  create(pet: NewPet): Pet
  get(id: bigint): Pet | undefined
  list(query: PetQuery): readonly Pet[]
  page(query: PetQuery): PetPage
  createOnce(pet: NewPet, key: CreationKey): CreateOnceResult
  findCreated(key: CreationKey): CreateOnceResult | undefined
  update(id: bigint, changes: PetChanges): Pet | undefined
  remove(id: bigint): boolean
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
  const table = createPetTable()
  const pages = createPageCache()
  /** The creations by the token of their key. Each belongs to an animal that was created, which bounds their number. */
  const creations = createGenerations<
    Pick<CreationKey, 'fingerprint' | 'expiresAt'> & { readonly id: bigint }
  >()

  function replace(old: Pet, pet: NewPet | undefined): void {
    table.replace(old, pet)
    pages.clear()
  }

  function findCreated({ token, fingerprint, now }: CreationKey): CreateOnceResult | undefined {
    const creation = creations.get(token)
    if (!creation || creation.expiresAt <= now) return undefined
    return creation.fingerprint === fingerprint
      ? { outcome: 'replayed', id: creation.id }
      : { outcome: 'reused' }
  }

  return {
    create: table.add,
    get: table.get,
    list: table.list,
    page: (query) => pages.page(query, table.list, table.size),
    createOnce(pet, key) {
      const earlier = findCreated(key)
      if (earlier) return earlier
      const { id } = table.add(pet)
      const { token, fingerprint, now, expiresAt } = key
      creations.add(token, { fingerprint, expiresAt, id }, now, expiresAt)
      return { outcome: 'created', id }
    },
    findCreated,
    update(id, changes) {
      const pet = table.get(id)
      if (pet) replace(pet, { ...pet, ...(withoutUndefined(changes) as Partial<NewPet>) }) // the table leaves a status of null out
      return table.get(id)
    },
    remove(id) {
      const pet = table.get(id)
      if (!pet) return false
      replace(pet, undefined)
      return true
    },
  }
}
