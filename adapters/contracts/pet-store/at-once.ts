import assert from 'node:assert/strict'
import {
  type NewPet,
  type Pet,
  type PetQuery,
  type PetStatus,
  type PetStore,
  petStatuses,
} from '../../../core/index.ts'
import { assertReturned, keyOf, type StoreCase } from './cases.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'sold' } as const

/** The rules that hold while many requests create, change and read at once, and when one of them fails. */
export const atOnceCases: readonly StoreCase[] = [
  {
    name: 'stores all animals that are created at once, each with a different id, and shows each as soon as it resolves',
    async run(store) {
      const created: Pet[] = []
      async function createSome(newPets: readonly NewPet[]): Promise<void> {
        for (const newPet of newPets) {
          const { id } = await store.create(newPet)
          const pet = { ...newPet, id }
          assertReturned(await store.get(id), pet)
          assertReturned(await store.list({ limit: 1, after: id - 1n }), [pet])
          const page = await store.page?.({ limit: 100 }) // not every store has it
          if (page) assert.ok(page.json.includes(`{"id":${id},`), page.json)
          created.push(pet)
        }
      }
      await Promise.all(Array.from({ length: 20 }, () => createSome(animals(5))))
      assertListed(await readPages(store, { limit: 101 }), created)
    },
  },
  {
    name: 'lists every earlier animal exactly once, in order, while others are created, of any status and of one',
    async run(store) {
      const before = await createAtOnce(store, animals(60))
      for (const query of [{ limit: 10 }, { limit: 10, status: 'sold' }] as const) {
        const creations: Promise<Pet[]>[] = []
        const listed = await readPages(store, query, () => {
          if (creations.length < 5) creations.push(createAtOnce(store, animals(8)))
        })
        await Promise.all(creations)
        const ids = listed.map(({ id }) => id)
        for (const { id, status } of before)
          assert.equal(ids.includes(id), !('status' in query) || query.status === status, `id ${id}`)
      }
    },
  },
  {
    name: 'creates one animal for each of the keys that 200 calls use at once, whatever their fingerprints',
    needs: ['createOnce'],
    async run(store) {
      const tokens = ['a', 'b', 'c', 'd', 'e']
      const keys = Array.from({ length: 200 }, (_, i) => keyOf(tokens[i % 5] ?? '', i % 2 ? 'f' : 'g'))
      const results = await Promise.all(keys.map(async (key) => store.createOnce(rex, key)))
      const count = (wanted: string) => results.filter(({ outcome }) => outcome === wanted).length
      assert.deepEqual([count('created'), count('replayed'), count('reused')], [5, 95, 100])
      assert.equal((await store.list({ limit: 101 })).length, tokens.length)
    },
  },
  {
    name: 'stores no key of a creation that fails',
    needs: ['createOnce'],
    async run(store) {
      const failing: NewPet = {
        get name(): string {
          throw new Error('this animal cannot be read')
        },
        categoryId: 1n,
      }
      await assert.rejects(async () => store.createOnce(failing, keyOf('a')))
      assert.equal(await store.findCreated(keyOf('a')), undefined)
      const unknown = { ...rex, status: 'lost' as PetStatus } // a database can have a constraint, which only then fails
      const [{ status }] = await Promise.allSettled([(async () => store.createOnce(unknown, keyOf('b')))()])
      assert.equal((await store.findCreated(keyOf('b'))) !== undefined, status === 'fulfilled')
      assert.equal((await store.createOnce(rex, keyOf('a'))).outcome, 'created')
    },
  },
  {
    name: 'holds the changes of different fields of an animal that are made at once',
    needs: ['update'],
    async run(store) {
      for (let round = 0; round < 20; round++) {
        const { id } = await store.create({ name: 'Rex', categoryId: 1n })
        const changes = [{ name: 'Max' }, { categoryId: 2n }, { status: 'sold' } as const]
        await Promise.all(changes.map(async (change) => store.update(id, change)))
        assertReturned(await store.get(id), { id, name: 'Max', categoryId: 2n, status: 'sold' })
      }
    },
  },
  {
    name: 'removes an animal for one of the calls that are made at once, and does not bring it back by a change',
    needs: ['remove'],
    async run(store) {
      for (const { id } of await createAtOnce(store, animals(20))) {
        const change = async () => store.update?.(id, { name: 'Max', status: 'pending' }) // not every store has it
        const calls = [change(), ...Array.from({ length: 8 }, async () => store.remove(id))]
        assert.equal((await Promise.all(calls)).filter((result) => result === true).length, 1)
        assert.deepEqual([await store.get(id), await change()], [undefined, undefined])
      }
      for (const query of [{ limit: 101 }, { limit: 101, status: 'pending' }] as const)
        assert.deepEqual(await store.list(query), [])
    },
  },
]

/** Returns `count` different animals: of each status in turn, and of none. */
function animals(count: number): NewPet[] {
  return Array.from({ length: count }, (_, i) => {
    const pet = { name: `Animal ${i}`, categoryId: BigInt(i % 7) }
    const status = [undefined, ...petStatuses][i % 4]
    return status === undefined ? pet : { ...pet, status }
  })
}

function createAtOnce(store: PetStore, pets: readonly NewPet[]): Promise<Pet[]> {
  return Promise.all(pets.map(async (pet) => store.create(pet)))
}

/** Asserts that a list shows exactly these animals, by ascending id. */
function assertListed(listed: readonly Pet[], pets: readonly Pet[]): void {
  assertReturned(
    listed,
    pets.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  )
}

/** Reads all pages by `after`; ids must ascend throughout. `meanwhile` is called before each page. */
async function readPages(store: PetStore, query: PetQuery, meanwhile?: () => void): Promise<Pet[]> {
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
