import assert from 'node:assert/strict'
import { type NewPet, petStatuses } from '../../../core/index.ts'
import { names } from '../names.ts'
import { animals, createAll, fields, type StoreCase } from './cases.ts'

const categories = [
  0n,
  -1n,
  2n ** 31n,
  2n ** 53n - 1n,
  2n ** 53n + 1n,
  -(2n ** 53n) - 1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
]

/** An animal for each category and each kind of name. Each must be stored exactly. */
const exactly: readonly (readonly [string, NewPet])[] = [
  ...categories.map((categoryId) => [`category ${categoryId}`, { name: 'Rex', categoryId }] as const),
  ...Object.entries(names).map(([kind, name]) => [`a name ${kind}`, { name, categoryId: 1n }] as const),
]

const alike = ['rex', 'REX', 'rex ', 'Zo\u00eb', 'Zoe\u0308', '\u212b', '\u00c5', '\ufb01', 'fi']

export const creatingCases: readonly StoreCase[] = [
  {
    name: 'gives every animal an id from 1 to 2^53 - 1, and none twice',
    async run(store) {
      const ids = (await createAll(store, animals(50))).map(({ id }) => id)
      assert.equal(new Set(ids).size, ids.length)
      for (const id of ids) assert.ok(id >= 1n && id <= 2n ** 53n - 1n, `id ${id}`)
    },
  },
  {
    name: 'returns, finds and lists an animal as it was created, of each status and of none',
    async run(store) {
      for (const status of [undefined, ...petStatuses]) {
        const created = await store.create({ name: 'Rex', categoryId: 1n, ...(status && { status }) })
        const expected = { id: created.id, name: 'Rex', categoryId: 1n, status }
        assert.deepEqual(fields(created), expected)
        const found = await store.get(created.id)
        assert.deepEqual(found && fields(found), expected)
        const listed = await store.list({ limit: 1, after: created.id - 1n })
        assert.deepEqual(listed.map(fields), [expected])
      }
    },
  },
  ...exactly.map(
    ([what, { name, categoryId }]): StoreCase => ({
      name: `stores ${what} exactly`,
      async run(store) {
        const { id } = await store.create({ name, categoryId })
        const expected = { id, name, categoryId, status: undefined }
        const found = await store.get(id)
        assert.deepEqual(found && fields(found), expected)
        assert.deepEqual((await store.list({ limit: 1 })).map(fields), [expected])
      },
    }),
  ),
  {
    name: 'stores names that only look alike as different names',
    async run(store) {
      const created = await createAll(
        store,
        alike.map((name) => ({ name, categoryId: 1n })),
      )
      for (const [i, { id }] of created.entries()) assert.equal((await store.get(id))?.name, alike[i])
    },
  },
]
