import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  createMemoryStore,
  type MemoryStore,
  type Pet,
  type PetPage,
  type PetStore,
} from '../../core/index.ts'
import { petStoreContract, type TestFunction } from './index.ts'
import { pageByList } from './pet-store/paging.ts'
import { assertCaught, runContract } from './testing/run-contract.ts'

const capabilities = { createOnce: true, update: true, remove: true }

const brokenFullStores: readonly {
  defect: string
  by: RegExp
  breakIt: (store: MemoryStore) => { [Method in keyof PetStore]?: PetStore[Method] | undefined }
}[] = [
  {
    defect: 'ignores keys',
    by: /once for a key/,
    breakIt: (store) => ({ createOnce: (pet) => ({ outcome: 'created', id: store.create(pet).id }) }),
  },
  {
    defect: 'ignores fingerprints',
    by: /another fingerprint/,
    breakIt: (store) => ({
      createOnce: (pet, key) => store.createOnce(pet, { ...key, fingerprint: '' }),
      findCreated: (key) => store.findCreated({ ...key, fingerprint: '' }),
    }),
  },
  {
    defect: 'stores an animal for a reused key',
    by: /another fingerprint/,
    breakIt: (store) => ({
      createOnce(pet, key) {
        const result = store.createOnce(pet, key)
        if (result.outcome === 'reused') store.create(pet)
        return result
      },
    }),
  },
  {
    defect: 'has one key for all',
    by: /each of two keys/,
    breakIt: (store) => ({ createOnce: (pet, key) => store.createOnce(pet, { ...key, token: '' }) }),
  },
  {
    defect: 'stores keys for ever',
    by: /until it expires/,
    breakIt: (store) => ({
      createOnce: (pet, key) => store.createOnce(pet, { ...key, now: 0, expiresAt: 1 }),
      findCreated: (key) => store.findCreated({ ...key, now: 0 }),
    }),
  },
  {
    defect: 'expires keys a millisecond late',
    by: /until it expires/,
    breakIt: (store) => ({
      createOnce: (pet, key) => store.createOnce(pet, { ...key, expiresAt: key.expiresAt + 1 }),
    }),
  },
  {
    defect: 'drops all keys when one has expired',
    by: /while others expire/,
    breakIt(store) {
      let keys = createMemoryStore()
      return {
        findCreated: (key) => keys.findCreated(key),
        createOnce(pet, key) {
          if (key.token.startsWith('73') && keys.get(2n)) keys = createMemoryStore()
          const { outcome } = keys.createOnce(pet, key)
          return outcome === 'reused' ? { outcome } : { outcome, id: store.create(pet).id }
        },
      }
    },
  },
  {
    defect: 'creates an animal to find a key',
    by: /without creating anything/,
    breakIt: (store) => ({
      findCreated: (key) => store.createOnce({ name: 'Rex', categoryId: 1n, status: 'sold' }, key),
    }),
  },
  {
    defect: 'looks for a key before it creates, and stores the key after that',
    by: /200 calls/,
    breakIt: (store) => ({
      async createOnce(pet, key) {
        const found = store.findCreated(key)
        await nextTurn()
        return found ?? store.createOnce(pet, { ...key, now: key.expiresAt })
      },
    }),
  },
  {
    defect: 'stores the key of a creation that fails',
    by: /creation that fails/,
    breakIt(store) {
      const failed = new Set<string>()
      return {
        createOnce(pet, key) {
          failed.add(key.token)
          const result = store.createOnce(pet, key)
          failed.delete(key.token)
          return result
        },
        findCreated: (key) =>
          failed.has(key.token) ? { outcome: 'replayed', id: 1n } : store.findCreated(key),
      }
    },
  },
  {
    defect: 'changes all fields or none',
    by: /fields that are given/,
    breakIt: (store) => ({
      update: (id, { name = '', categoryId = 0n, status = null }) =>
        store.update(id, { name, categoryId, status }),
    }),
  },
  {
    defect: 'cannot remove a status',
    by: /fields that are given/,
    breakIt: (store) => ({
      update: (id, { status, ...changes }) => store.update(id, { ...changes, ...(status && { status }) }),
    }),
  },
  {
    defect: 'changes categories as doubles',
    by: /fields that are given/,
    breakIt: (store) => ({
      update: (id, { categoryId, ...changes }) =>
        store.update(id, {
          ...changes,
          ...(categoryId !== undefined && { categoryId: BigInt(Number(categoryId)) }),
        }),
    }),
  },
  {
    defect: 'creates an animal that it should change',
    by: /changes nothing under an id/,
    breakIt: (store) => ({
      update: (id, changes) => store.update(id, changes) ?? store.create({ name: '', categoryId: 1n }),
    }),
  },
  {
    defect: 'lists pages as they were before a change or a removal',
    by: /shows changes at once/,
    breakIt(store) {
      const read = new Map<string, readonly Pet[]>()
      return {
        list(query) {
          const key = `${query.limit} ${query.status} ${query.after}`
          const page = read.get(key) ?? store.list(query)
          if (page.length === query.limit) read.set(key, page)
          return page
        },
      }
    },
  },
  {
    defect: 'filters by the status that an animal was created with',
    by: /list of each status/,
    breakIt(store) {
      const created = new Map<bigint, Pet>()
      return {
        create(pet) {
          const one = store.create(pet)
          created.set(one.id, one)
          return one
        },
        list: ({ status, ...query }) =>
          status === undefined
            ? store.list(query)
            : store
                .list({ ...query, limit: 10_000 })
                .filter(({ id }) => created.get(id)?.status === status)
                .slice(0, query.limit),
      }
    },
  },
  {
    defect: 'writes back what it read before another change',
    by: /made at once/,
    breakIt: (store) => ({
      async update(id, { status, ...changes }) {
        const before = store.get(id)
        await nextTurn()
        return before && store.update(id, { ...before, ...changes, ...(status !== undefined && { status }) })
      },
    }),
  },
  {
    defect: 'only hides a removed animal from getPet',
    by: /removes an animal from/,
    breakIt(store) {
      const removed = new Set<bigint>()
      return {
        get: (id) => (removed.has(id) ? undefined : store.get(id)),
        remove: (id) => !removed.has(id) && removed.add(id) && store.get(id) !== undefined,
      }
    },
  },
  {
    defect: 'removes an animal for each of many calls',
    by: /one of the calls/,
    breakIt: (store) => ({
      async remove(id) {
        const found = store.get(id)
        await nextTurn()
        store.remove(id)
        return found !== undefined
      },
    }),
  },
  {
    defect: 'assigns the highest id again once its animal is removed',
    by: /to no other/,
    breakIt(store) {
      const removed: bigint[] = []
      return {
        create(pet) {
          const created = store.create(pet)
          return { ...created, id: removed.pop() ?? created.id }
        },
        remove(id) {
          removed.push(id)
          return store.remove(id)
        },
      }
    },
  },
  {
    defect: 'stores an animal again that it changes while it is removed',
    by: /bring back/,
    breakIt(store) {
      const back = new Map<bigint, Pet>()
      return {
        get: (id) => store.get(id) ?? back.get(id),
        async update(id, changes) {
          const pet = store.get(id)
          await nextTurn()
          if (pet) back.set(id, pet)
          return store.update(id, changes) ?? pet
        },
      }
    },
  },
  {
    defect: 'forgets the key of an animal that is removed',
    by: /changed or removed/,
    breakIt(store) {
      const ids = new Map<string, bigint>()
      return {
        createOnce(pet, key) {
          const id = ids.get(key.token)
          const isRemoved = id !== undefined && !store.get(id)
          const result = store.createOnce(pet, isRemoved ? { ...key, now: key.expiresAt } : key)
          if (result.outcome !== 'reused') ids.set(key.token, result.id)
          return result
        },
      }
    },
  },
  {
    defect: 'loses every twentieth change',
    by: /plain Map/,
    breakIt(store) {
      let changes = 0
      return { update: (id, change) => store.update(id, ++changes % 20 === 0 ? {} : change) }
    },
  },
  {
    defect: 'rounds the numbers of its pages',
    by: /as the JSON/,
    breakIt: (store) => ({
      page: async (query) => {
        const { json, next } = await pageByList(store, query)
        return { json: JSON.stringify(JSON.parse(json)), next }
      },
    }),
  },
  {
    defect: 'counts the characters of its pages',
    by: /as the JSON/,
    breakIt: (store) => ({
      page: async (query) => {
        const page = await pageByList(store, query)
        return { ...page, bytes: page.json.length }
      },
    }),
  },
  {
    defect: 'links to a page that is empty',
    by: /the last id where more/,
    breakIt: (store) => ({
      page: async (query) => ({ ...(await pageByList(store, query)), next: store.list(query).at(-1)?.id }),
    }),
  },
  {
    defect: 'shows pages that were read before',
    by: /on every page/,
    breakIt(store) {
      const pages = new Map<string, Promise<PetPage>>()
      return {
        page(query) {
          const name = String(Object.entries(query))
          const page = pages.get(name) ?? pageByList(store, query)
          pages.set(name, page)
          return page
        },
      }
    },
  },
  { defect: 'lacks a method that is declared', by: /and no others/, breakIt: () => ({ remove: undefined }) },
]

function withPages(store: PetStore): PetStore {
  return { page: (query) => pageByList(store, query), ...store }
}

for (const { defect, by, breakIt } of brokenFullStores)
  test(`the contract catches a store that ${defect}`, async () => {
    const results = await runContract((declare) =>
      petStoreContract({
        test: declare,
        createStore() {
          const store = createMemoryStore()
          return withPages({ ...store, ...breakIt(store) } as MemoryStore) // one lacks a method
        },
        capabilities: { page: true, ...capabilities },
        scale: 0,
      }),
    )
    assertCaught(results, by)
  })

test('the contract catches a store with a method that is not declared', async () => {
  const results = await runContract((declare) =>
    petStoreContract({ test: declare, createStore: createMemoryStore }),
  )
  assertCaught(results, /and no others/)
})

test('the contract catches a store that loses its keys, changes and removals when it is opened again', async () => {
  const reopenings: readonly [(from: MemoryStore, to: MemoryStore) => void, RegExp][] = [
    [(from, to) => copyPets(from, to), /has the keys/],
    [(_, to) => void to.create({ name: 'Rex', categoryId: 1n, status: 'sold' }), /has the changes/],
    [(_, to) => copyPets(filled(4), to), /lacks the removed/],
    [(from, to) => copyPets(from, to), /lacks the removed/],
  ]
  for (const [reopen, by] of reopenings) {
    const results = await runContract((declare) =>
      petStoreContract({
        test: declare,
        createStore: createMemoryStore,
        reopenStore(from) {
          const to = createMemoryStore()
          reopen(from, to)
          return to
        },
        capabilities,
      }),
    )
    assertCaught(results, by)
  }
})

function copyPets(from: MemoryStore, to: MemoryStore): void {
  for (const pet of from.list({ limit: 1000 })) to.create(pet)
}

function filled(count: number): MemoryStore {
  const store = createMemoryStore()
  for (let i = 0; i < count; i++) store.create({ name: 'Rex', categoryId: 1n, status: 'sold' })
  return store
}

test('the cases of a method that a store lacks are skipped, with the reason', async () => {
  const skipped: string[] = []
  const runner: TestFunction = Object.assign(() => {}, { skip: (name: string) => skipped.push(name) })
  petStoreContract({ test: runner, createStore: createMemoryStore, capabilities: { update: true } })
  for (const missing of ['createOnce', 'remove'])
    assert.ok(skipped.some((name) => name.endsWith(`(skipped: no options.capabilities.${missing})`)))
  assert.ok(!skipped.some((name) => name.includes('capabilities.update')))
})
