import assert from 'node:assert/strict'
import { createMemoryStore, type Pet, type PetQuery, petToJson } from '../../../core/index.ts'
import { type FullStore, firstUse } from './cases.ts'

/** The store in memory, which has the ids of another one. */
export interface Reference {
  readonly store: FullStore
  /** All ids that were assigned, in the order of the creations. */
  readonly ids: readonly bigint[]
  /** The time of the next key, in milliseconds since the epoch. */
  now: number
  /** Sets the id of the next creation. */
  adopt(id: bigint): void
}

/** Creates one without animals. */
export function createReference(): Reference {
  const memory = createMemoryStore() // assigns 1, 2, 3 and so on
  const ids: bigint[] = []
  let newId = 0n

  /** Returns the id in memory; 0, which nothing has, for one that was not assigned. */
  const inMemory = (id: bigint) => BigInt(ids.indexOf(id) + 1)

  /** Returns a result with the id of the other store in the place of that in memory. */
  function shown<Result>(result: Result): Result {
    const place = Number(Object(result).id) - 1
    if (Number.isNaN(place)) return result
    if (place === ids.length) {
      assert.ok(newId >= 1n && newId <= 2n ** 53n - 1n, `id ${newId} is not from 1 to 2^53 - 1`)
      assert.ok(!ids.includes(newId), `id ${newId} was used before`)
      ids.push(newId)
    }
    return { ...result, id: ids[place] }
  }

  /** Returns all animals that match. A store may assign ids in any order. */
  function matching({ status, after = 0n }: PetQuery): Pet[] {
    const pets = memory.list({ limit: Number.POSITIVE_INFINITY, ...(status && { status }) }).map(shown)
    return pets.filter(({ id }) => id > after).sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  const store: FullStore = {
    create: (pet) => shown(memory.create(pet)),
    createOnce: (pet, key) => shown(memory.createOnce(pet, key)),
    findCreated: (key) => shown(memory.findCreated(key)),
    update: (id, changes) => shown(memory.update(inMemory(id), changes)),
    remove: (id) => memory.remove(inMemory(id)),
    get: (id) => shown(memory.get(inMemory(id))),
    list: (query) => matching(query).slice(0, query.limit),
    page(query) {
      const pets = matching(query)
      const page = pets.slice(0, query.limit)
      const next = pets.length > page.length ? page.at(-1)?.id : undefined
      return { json: `[${page.map(petToJson).join()}]`, next }
    },
  }
  return { store, ids, now: firstUse, adopt: (id) => (newId = id) }
}
