import assert from 'node:assert/strict'
import {
  type CreationKey,
  type NewPet,
  type Pet,
  type PetQuery,
  type PetStore,
  sha256,
} from '../../../core/index.ts'
import type { ContractCase } from '../runner.ts'

/** The methods that a store may have besides the three that each has. */
export interface PetStoreCapabilities {
  /** It has `createOnce` and `findCreated`. */
  readonly createOnce?: boolean
  readonly page?: boolean
  readonly update?: boolean
  readonly remove?: boolean
}

/** The methods of each capability. */
const methodsOf = {
  createOnce: ['createOnce', 'findCreated'],
  page: ['page'],
  update: ['update'],
  remove: ['remove'],
} as const

/** A store that has all methods. */
export type FullStore = Required<PetStore>

export interface StoreCase extends ContractCase<keyof PetStoreCapabilities | 'reopenStore' | 'scale'> {
  /**
   * Calls only the methods of the capabilities that the case needs.
   *
   * @param reopen - Opens the animals of the store a second time. From then on the case does not use the first one.
   */
  run(store: FullStore, reopen: (work: (second: FullStore) => Promise<void>) => Promise<void>): Promise<void>
}

/** Otherwise a method that nobody has declared would not be tested. */
export function capabilitiesCase(capabilities: PetStoreCapabilities): StoreCase {
  return {
    name: 'has the methods of options.capabilities, and no others',
    async run(store) {
      for (const [key, methods] of Object.entries(methodsOf)) {
        const capability = key as keyof PetStoreCapabilities // a key of the table
        const declared = capabilities[capability] ?? false
        for (const method of methods)
          assert.equal(
            typeof store[method] === 'function',
            declared,
            declared
              ? `the store has no ${method}: implement it, or remove options.capabilities.${capability}`
              : `the store has ${method}: set options.capabilities.${capability} to true, so that it is tested`,
          )
      }
    },
  }
}

/** The least and the greatest int64. */
export const int64Min: bigint = -(2n ** 63n)
export const int64Max: bigint = 2n ** 63n - 1n

export const rex = { name: 'Rex', categoryId: 1n, status: 'sold' } as const

/** Returns an animal with nothing but its fields, for comparisons. */
export function fields(pet: Pet | undefined): object | undefined {
  return pet && { id: pet.id, name: pet.name, categoryId: pet.categoryId, status: pet.status }
}

/** Asserts that a list shows exactly these animals, by ascending id. */
export function assertListed(listed: readonly Pet[], pets: readonly Pet[]): void {
  const expected = pets.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  // One by one, since a runner may take minutes to show how two long lists differ.
  for (const [i, pet] of listed.entries()) assert.deepEqual(fields(pet), fields(expected[i]))
  assert.equal(listed.length, expected.length)
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

/** When the first key of each case is used, in milliseconds since the epoch. */
export const firstUse: number = Date.UTC(2026, 10, 20, 12)

/** Returns a key, which is valid for a day by default. The letters stand for what the hashes are of. */
export function keyOf(
  token: string,
  fingerprint = 'f',
  now: number = firstUse,
  forMs = 86_400_000,
): CreationKey {
  return { token: sha256(token), fingerprint: sha256(fingerprint), now, expiresAt: now + forMs }
}
