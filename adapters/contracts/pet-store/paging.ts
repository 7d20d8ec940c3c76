import assert from 'node:assert/strict'
import { type NewPet, type PetPage, type PetQuery, type PetStore, petToJson } from '../../../core/index.ts'
import type { CapabilityCase } from './capabilities.ts'
import { animals, createAll } from './cases.ts'

const utf8 = new TextEncoder()

/** Characters that JSON escapes, and some that it does not. */
const characters = Array.from({ length: 0xff }, (_, i) => String.fromCharCode(i + 1)).join('')
const special: readonly NewPet[] = [
  { name: characters, categoryId: 2n ** 63n - 1n, status: 'sold' },
  { name: '\\u0041 \u2028\u2029 \u{1f415} \ufeff\uffff"},{', categoryId: -(2n ** 63n) },
  { name: '', categoryId: 0n, status: 'pending' },
]

/** Returns the page that a store must return, by what it lists. */
export async function pageByList(store: PetStore, query: PetQuery): Promise<PetPage> {
  const listed = await store.list({ ...query, limit: query.limit + 1 })
  const shown = listed.slice(0, query.limit)
  return {
    json: `[${shown.map(petToJson).join()}]`,
    next: listed.length > shown.length ? shown.at(-1)?.id : undefined,
  }
}

/** Asserts that a page is the one that a store must return. */
export async function assertPage(store: PetStore, query: PetQuery): Promise<void> {
  if (!store.page) return
  const { json, bytes, next } = await store.page(query)
  const expected = await pageByList(store, query)
  assert.equal(json, expected.json)
  assert.equal(bytes ?? utf8.encode(json).length, utf8.encode(json).length)
  assert.equal(next, expected.next)
}

export const pagingCases: readonly CapabilityCase[] = [
  {
    name: 'returns pages as the JSON of what it lists, and the last id where more animals match',
    needs: ['page'],
    async run(store) {
      await assertPage(store, { limit: 20 })
      const created = await createAll(store, [...special, ...animals(30)])
      for (const limit of [1, 3, created.length - 1, created.length, 100])
        for (const status of [undefined, 'available', 'sold'] as const)
          for (const after of [undefined, 0n, created[9]?.id, -(2n ** 63n), 2n ** 63n - 1n])
            await assertPage(store, {
              limit,
              ...(status && { status }),
              ...(after !== undefined && { after }),
            })
    },
  },
  {
    name: 'shows an animal on every page that is asked for once its creation has resolved',
    needs: ['page'],
    async run(store) {
      await Promise.all(
        [1, 2, 3, 4].map(async () => {
          for (const pet of animals(15)) {
            const { id } = await store.create(pet)
            const pages = [store.page({ limit: 1, after: id - 1n }), store.page({ limit: 100 })]
            for (const { json } of await Promise.all(pages)) assert.ok(json.includes(`{"id":${id},`), json)
          }
        }),
      )
    },
  },
]
