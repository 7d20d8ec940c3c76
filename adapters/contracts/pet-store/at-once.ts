import assert from 'node:assert/strict'
import type { NewPet, Pet, PetQuery, PetStatus, PetStore } from '../../../core/index.ts'
import { createRandom } from '../random.ts'
import { assertReturned, keyOf, type StoreCase } from './cases.ts'
import { randomPet } from './model.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'sold' } as const

/** The rules that hold while many requests create, change and read at once, and when one of them fails. */
export const atOnceCases: readonly StoreCase[] = [
  {
    name: 'stores all animals that are created at once, shows each as soon as it resolves, and lists it once from then on',
    async run({ store }) {
      const random = createRandom(0)
      const created: Pet[] = []
      async function createSome(): Promise<void> {
        for (let i = 0; i < 5; i++) {
          const newPet = randomPet(random)
          const { id } = await store.create(newPet)
          const pet = { ...newPet, id }
          assertReturned(await store.get(id), pet)
          assertReturned(await store.list({ limit: 1, after: id - 1n }), [pet])
          const page = await store.page?.({ limit: 100 }) // not every store has it
          if (page) assert.ok(page.json.includes(`{"id":${id},`), page.json)
          created.push(pet)
        }
      }
      async function listAll(query: PetQuery): Promise<void> {
        const before = created.filter(({ status }) => !query.status || status === query.status)
        const listed = await readPages(store, query)
        const pets = new Map(listed.map((pet) => [pet.id, pet]))
        for (const pet of before) assertReturned(pets.get(pet.id), pet)
      }
      async function listSome(query: PetQuery): Promise<void> {
        for (let i = 0; i < 10; i++) await listAll(query)
      }
      const creations = Array.from({ length: 20 }, createSome)
      await Promise.all([...creations, listSome({ limit: 10 }), listSome({ limit: 10, status: 'sold' })])
      assert.equal(created.length, 100)
      await listAll({ limit: 101 })
    },
  },
  {
    name: 'creates one animal for each of the keys that 200 calls use at once, whatever their fingerprints',
    needs: ['createOnce'],
    async run({ store }) {
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
    async run({ store }) {
      const unreadable: NewPet = {
        get name(): string {
          throw new Error('this animal cannot be read')
        },
        categoryId: 1n,
      }
      const unknown = { ...rex, status: 'lost' as PetStatus } // a database can have a constraint, which only then fails
      for (const [token, newPet] of Object.entries({ unreadable, unknown })) {
        const [{ status }] = await Promise.allSettled([
          (async () => store.createOnce(newPet, keyOf(token)))(),
        ])
        assert.equal((await store.findCreated(keyOf(token))) !== undefined, status === 'fulfilled', token)
      }
      assert.equal((await store.createOnce(rex, keyOf('unreadable'))).outcome, 'created')
    },
  },
  {
    name: 'holds the changes of different fields of an animal that are made at once',
    needs: ['update'],
    async run({ store }) {
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
    async run({ store }) {
      for (let round = 0; round < 20; round++) {
        const { id } = await store.create(rex)
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

/** Reads all pages by `after`; ids must ascend throughout. */
async function readPages(store: PetStore, query: PetQuery): Promise<Pet[]> {
  const read: Pet[] = []
  for (;;) {
    const after = read.at(-1)?.id
    const page = await store.list({ ...query, ...(after !== undefined && { after }) })
    for (const pet of page) {
      assert.ok(pet.id > (read.at(-1)?.id ?? 0n), `id ${pet.id} follows ${read.at(-1)?.id}`)
      read.push(pet)
    }
    if (page.length < query.limit) return read
  }
}
