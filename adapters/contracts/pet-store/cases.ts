import assert from 'node:assert/strict'
import type { NewPet, Pet, PetQuery, PetStore } from '../../../core/index.ts'
import type { ContractCase } from '../runner.ts'

export type StoreCase = ContractCase<PetStore>

/** Returns an animal with nothing but its fields, for comparisons. */
export function fields({ id, name, categoryId, status }: Pet): object {
  return { id, name, categoryId, status }
}

export function byId(pets: readonly Pet[]): Pet[] {
  return [...pets].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Asserts that a list shows exactly these animals, by ascending id. */
export function assertListed(listed: readonly Pet[], pets: readonly Pet[], message?: string): void {
  const expected = byId(pets)
  // One by one, since a runner may take minutes to show how two long lists differ.
  for (const [i, pet] of listed.entries())
    assert.deepEqual(fields(pet), expected[i] && fields(expected[i]), message)
  assert.equal(listed.length, expected.length, message)
}

/** Returns `count` different animals: of each status in turn, and of none. */
export function animals(count: number): NewPet[] {
  return Array.from({ length: count }, (_, i) => {
    const pet = { name: `Animal ${i}`, categoryId: BigInt(i % 7) }
    const status = ([undefined, 'available', 'pending', 'sold'] as const)[i % 4]
    return status === undefined ? pet : { ...pet, status }
  })
}

/** Creates animals one after the other. */
export async function createAll(store: PetStore, pets: readonly NewPet[]): Promise<Pet[]> {
  const created: Pet[] = []
  for (const pet of pets) created.push(await store.create(pet))
  return created
}

/** Creates animals all at once. */
export function createAtOnce(store: PetStore, pets: readonly NewPet[]): Promise<Pet[]> {
  return Promise.all(pets.map(async (pet) => store.create(pet)))
}

/** Reads all pages by `after`; ids must ascend throughout. `meanwhile` is called before each page. */
export async function readPages(store: PetStore, query: PetQuery, meanwhile?: () => void): Promise<Pet[]> {
  const read: Pet[] = []
  for (;;) {
    meanwhile?.()
    const last = read.at(-1)
    const page = await store.list(last ? { ...query, after: last.id } : query)
    for (const pet of page) {
      assert.ok(pet.id > (read.at(-1)?.id ?? 0n), `id ${pet.id} follows ${read.at(-1)?.id}`)
      read.push(pet)
    }
    if (page.length < query.limit) return read
  }
}
