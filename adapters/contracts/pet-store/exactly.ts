import assert from 'node:assert/strict'
import { type NewPet, petStatuses } from '../../../core/index.ts'
import { names } from '../names.ts'
import { fields, int64Max, int64Min, type StoreCase } from './cases.ts'

const categories = [0n, -1n, 2n ** 31n, 2n ** 53n - 1n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, int64Max, int64Min]
const rex = { name: 'Rex', categoryId: 1n }

/** What each animal has, and the animal. */
const exactly: readonly (readonly [string, NewPet])[] = [
  ['no status', rex],
  ...petStatuses.map((status) => [`the status ${status}`, { ...rex, status }] as const),
  ...categories.map((categoryId) => [`category ${categoryId}`, { ...rex, categoryId }] as const),
  ...Object.entries(names).map(([kind, name]) => [`a name ${kind}`, { ...rex, name }] as const),
]

/** Each animal must be stored as it was created. */
export const exactlyCases: readonly StoreCase[] = exactly.map(([what, pet]) => ({
  name: `stores ${what} exactly`,
  async run(store) {
    const created = await store.create(pet)
    const expected = fields({ ...pet, id: created.id })
    assert.deepEqual(fields(created), expected)
    assert.deepEqual(fields(await store.get(created.id)), expected)
    assert.deepEqual((await store.list({ limit: 1 })).map(fields), [expected])
  },
}))
