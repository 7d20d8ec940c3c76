import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type CreationKey,
  createMemoryStore,
  type MemoryStore,
  type NewPet,
  type Pet,
  type PetPage,
  type PetQuery,
  type PetStore,
  petToJson,
} from '../../core/index.ts'
import { type PetStoreContractOptions, petStoreContract } from './index.ts'
import { type Broken, contractFinds, type Declare, declaredBy, failuresOf } from './testing/run-contract.ts'

petStoreContract({ test, create: createMemoryStore })

/** Returns the methods of a store that it breaks. */
type Break = (store: MemoryStore) => { readonly [Method in keyof PetStore]?: PetStore[Method] | undefined }

/** Changes each animal before it is stored. */
const storing =
  (change: (pet: NewPet) => Partial<NewPet>): Break =>
  ({ create }) => ({ create: (pet) => create({ ...pet, ...change(pet) }) })

/** Changes each animal that a creation returns. */
const returning =
  (change: (pet: Pet) => Partial<Pet>): Break =>
  ({ create }) => ({
    create(pet) {
      const created = create(pet)
      return { ...created, ...change(created) }
    },
  })

/** Changes each query of a list. */
const listing =
  (change: (query: PetQuery) => PetQuery): Break =>
  ({ list }) => ({ list: (query) => list(change(query)) })

/** Changes each key of a creation. */
const keying =
  (change: (key: CreationKey) => Partial<CreationKey>): Break =>
  ({ createOnce, findCreated }) => ({
    createOnce: (pet, key) => createOnce(pet, { ...key, ...change(key) }),
    findCreated: (key) => findCreated({ ...key, ...change(key) }),
  })

/** Changes each page. */
const paging =
  (change: (page: PetPage) => Partial<PetPage>): Break =>
  (store) => ({
    async page(query) {
      const page = await pageByList(store, query)
      return { ...page, ...change(page) }
    },
  })

async function pageByList(store: PetStore, query: PetQuery): Promise<PetPage> {
  const listed = await store.list({ ...query, limit: query.limit + 1 })
  const shown = listed.slice(0, query.limit)
  const next = listed.length > shown.length ? shown.at(-1)?.id : undefined
  return { json: `[${shown.map(petToJson).join()}]`, next }
}

const broken: Broken<Break> = {
  'over random calls of every method': {
    'stores categories as doubles': storing(({ categoryId }) => ({ categoryId: BigInt(Number(categoryId)) })),
    'trims names': storing(({ name }) => ({ name: name.trim() })),
    'composes names': storing(({ name }) => ({ name: name.normalize('NFC') })),
    'loses what lies beyond 16 bits': storing(({ name }) => ({
      name: name.replace(/[\u{10000}-\u{10ffff}]/gu, '?'),
    })),
    'cuts long names': storing(({ name }) => ({ name: name.slice(0, 255) })),
    'sets a status where none was given': storing(({ status = 'available' }) => ({ status })),
    'returns another animal than it stores': returning(() => ({ name: 'Max' })),
    'assigns an id twice': returning(() => ({ id: 1n })),
    'assigns ids that a double cannot hold': returning(({ id }) => ({ id: id + 2n ** 53n })),
    'finds something under every id': ({ get, list }) => ({ get: (id) => get(id) ?? list({ limit: 1 })[0] }),
    'lists a hundred': listing((query) => ({ ...query, limit: Math.min(query.limit, 100) })),
    'ignores the limit': listing((query) => ({ ...query, limit: 101 })),
    'ignores the filter': listing(({ status: _, ...query }) => query),
    'lists the animal of `after` again': listing(({ after = 0n, ...query }) => ({
      ...query,
      after: after - 1n,
    })),
    'treats a negative `after` as a positive one': listing(({ after = 0n, ...query }) => ({
      ...query,
      after: after < 0n ? -after : after,
    })),
    'lists the last first': ({ list }) => ({ list: (query) => list(query).toReversed() }),
    'filters only after it has cut the page': ({ list }) => ({
      list: ({ status, ...query }) => list(query).filter((pet) => !status || pet.status === status),
    }),
    'ignores keys': ({ create }) => ({ createOnce: (pet) => ({ outcome: 'created', id: create(pet).id }) }),
    'ignores fingerprints': keying(() => ({ fingerprint: '' })),
    'has one key for all': keying(() => ({ token: '' })),
    'stores keys for ever': keying(() => ({ now: 0, expiresAt: 1 })),
    'expires keys a millisecond late': keying(({ expiresAt }) => ({ expiresAt: expiresAt + 1 })),
    'stores an animal for a reused key': ({ create, createOnce }) => ({
      createOnce(pet, key) {
        const result = createOnce(pet, key)
        if (result.outcome === 'reused') create(pet)
        return result
      },
    }),
    'drops all keys when one has expired'({ create }) {
      let [keys, firstEnd] = [createMemoryStore(), Infinity]
      return {
        findCreated: (key) => keys.findCreated(key),
        createOnce(pet, key) {
          if (key.now >= firstEnd) [keys, firstEnd] = [createMemoryStore(), Infinity]
          firstEnd = Math.min(firstEnd, key.expiresAt)
          const found = keys.findCreated(key)
          if (found) return found
          const { id } = create(pet)
          while (keys.create(pet).id + 1n < id);
          keys.createOnce(pet, key)
          return { outcome: 'created', id }
        },
      }
    },
    'creates an animal to find a key': ({ createOnce }) => ({
      findCreated: (key) => createOnce({ name: 'Rex', categoryId: 1n }, key),
    }),
    'changes all fields or none': ({ update }) => ({
      update: (id, { name = '', categoryId = 0n, status = null }) => update(id, { name, categoryId, status }),
    }),
    'cannot remove a status': ({ update }) => ({
      update: (id, { status, ...changes }) => update(id, { ...changes, ...(status && { status }) }),
    }),
    'changes categories as doubles': ({ update }) => ({
      update: (id, { categoryId: exact, ...others }) =>
        update(id, { ...others, ...(exact !== undefined && { categoryId: BigInt(Number(exact)) }) }),
    }),
    'creates an animal that it should change': ({ create, update }) => ({
      update: (id, changes) => update(id, changes) ?? create({ name: '', categoryId: 1n }),
    }),
    'lists pages as they were before a change'({ list }) {
      const read = new Map<string, readonly Pet[]>()
      return {
        list(query) {
          const key = `${query.limit} ${query.status} ${query.after}`
          const page = read.get(key) ?? list(query)
          if (page.length === query.limit) read.set(key, page)
          return page
        },
      }
    },
    'filters by the status that an animal was created with'({ create, list }) {
      const created = new Map<bigint, Pet>()
      return {
        create(pet) {
          const one = create(pet)
          created.set(one.id, one)
          return one
        },
        list({ status, limit, ...query }) {
          const all = list({ ...query, limit: 10_000 })
          return all.filter(({ id }) => !status || created.get(id)?.status === status).slice(0, limit)
        },
      }
    },
    'loses every twentieth change'({ update }) {
      let changes = 0
      return { update: (id, change) => update(id, ++changes % 20 === 0 ? {} : change) }
    },
    'only hides a removed animal from getPet'({ get }) {
      const removed = new Set<bigint>()
      return {
        get: (id) => (removed.has(id) ? undefined : get(id)),
        remove: (id) => !removed.has(id) && removed.add(id) && get(id) !== undefined,
      }
    },
    'assigns the highest id again once its animal is removed'({ create, list, remove }) {
      let free: bigint | undefined
      return {
        create(pet) {
          const created = { ...create(pet) }
          if (free !== undefined) created.id = free
          free = undefined
          return created
        },
        remove(id) {
          if (list({ limit: 1, after: id }).length === 0) free = id
          return remove(id)
        },
      }
    },
    'forgets the key of an animal that is removed'({ createOnce, get }) {
      const ids = new Map<string, bigint>()
      return {
        createOnce(pet, key) {
          const id = ids.get(key.token)
          const isRemoved = id !== undefined && !get(id)
          const result = createOnce(pet, isRemoved ? { ...key, now: key.expiresAt } : key)
          if (result.outcome !== 'reused') ids.set(key.token, result.id)
          return result
        },
      }
    },
    'rounds the numbers of its pages': paging(({ json }) => ({ json: JSON.stringify(JSON.parse(json)) })),
    'counts the characters of its pages': paging(({ json }) => ({ bytes: json.length })),
    'links to a page that is empty': (store) => ({
      page: async (query) => ({ ...(await pageByList(store, query)), next: store.list(query).at(-1)?.id }),
    }),
  },
  'come at once': {
    'stores only one of those that are created at once'({ create }) {
      let pending: Promise<Pet> | undefined
      return {
        async create(pet) {
          pending ??= nextTurn().then(() => create(pet))
          const created = await pending
          pending = undefined
          return created
        },
      }
    },
    'shows pages that were read before'(store) {
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
    'shows an animal only later'({ create, get }) {
      const late = new Set<bigint>()
      return {
        create(pet) {
          const created = create(pet)
          late.add(created.id)
          void nextTurn().then(() => late.delete(created.id))
          return created
        },
        get: (id) => (late.has(id) ? undefined : get(id)),
      }
    },
    'looks for a key before it creates, and stores the key after that': ({ createOnce, findCreated }) => ({
      async createOnce(pet, key) {
        const found = findCreated(key)
        await nextTurn()
        return found ?? createOnce(pet, { ...key, now: key.expiresAt })
      },
    }),
    'stores the key of a creation that fails'({ createOnce, findCreated }) {
      const failed = new Set<string>()
      return {
        createOnce(pet, key) {
          failed.add(key.token)
          const result = createOnce(pet, key)
          failed.delete(key.token)
          return result
        },
        findCreated: (key) => (failed.has(key.token) ? { outcome: 'replayed', id: 1n } : findCreated(key)),
      }
    },
    'writes back what it read before another change': ({ get, update }) => ({
      async update(id, changes) {
        const before = get(id)
        await nextTurn()
        return before && update(id, { ...before, ...changes })
      },
    }),
    'removes an animal for each of many calls': ({ get, remove }) => ({
      async remove(id) {
        const found = get(id)
        await nextTurn()
        remove(id)
        return found !== undefined
      },
    }),
    'stores an animal again that it changes while it is removed'({ get, update }) {
      const back = new Map<bigint, Pet>()
      return {
        get: (id) => get(id) ?? back.get(id),
        async update(id, changes) {
          const pet = get(id)
          await nextTurn()
          if (pet) back.set(id, pet)
          return update(id, changes) ?? pet
        },
      }
    },
  },
}

contractFinds(broken, (breakIt) =>
  contractWith({
    create() {
      const store = createMemoryStore()
      return { ...store, ...breakIt(store) } as MemoryStore
    },
  }),
)

/** How the animals of a store are opened again. */
type Reopen = (from: MemoryStore, to: MemoryStore) => void

const brokenReopenings: Broken<Reopen> = {
  'opened again': {
    'loses its animals': () => {},
    'loses keys, changes and removals': copyPets,
  },
}

contractFinds(brokenReopenings, (reopen) =>
  contractWith({
    reopen(from) {
      const to = createMemoryStore()
      reopen(from, to)
      return to
    },
  }),
)

function copyPets(from: MemoryStore, to: MemoryStore): void {
  for (const pet of from.list({ limit: 1000 })) to.create(pet)
}

function contractWith(options: Partial<PetStoreContractOptions<MemoryStore>>): Declare {
  return (declare) => petStoreContract({ create: createMemoryStore, ...options, test: declare })
}

test('a case that fails lists the calls that led to it', async () => {
  const create = () => ({ ...createMemoryStore(), get: () => undefined })
  const cases: (() => Promise<void>)[] = []
  petStoreContract({ test: (name, body) => name.includes('every method') && cases.push(body), create })
  await assert.rejects(
    cases[0] ?? assert.fail,
    /the store in memory, the last of these:\n.*\nget\("\d+n"\)$/s,
  )
})

test('the contract closes each store, also that of a case that failed', async () => {
  let open = 0
  const create = () => {
    open++
    return { ...createMemoryStore(), create: () => assert.fail('full') }
  }
  await failuresOf(contractWith({ create, close: () => void open-- }))
  assert.equal(open, 0)
})

test('a case that requires an option is skipped without it, with the reason, whatever the runner has for that', async () => {
  const reason = /\(skipped: no options\.reopen\)$/
  const { skipped, run } = declaredBy(contractWith({}))
  assert.deepEqual([skipped.length, run.length, reason.test(skipped[0] ?? '')], [1, 2, true])
  const ignored: string[] = []
  const deno = Object.assign(() => {}, { ignore: (name: string) => ignored.push(name) })
  contractWith({})(deno)
  assert.deepEqual(ignored, skipped)
  const names: string[] = []
  contractWith({})((name) => names.push(name))
  assert.deepEqual(
    names.filter((name) => reason.test(name)),
    skipped,
  )
  assert.deepEqual(await failuresOf(contractWith({}), 'skipped:'), [])
})

test('of the optional methods, those that a store lacks are not called', async () => {
  const create = () => {
    const { create, get, list } = createMemoryStore()
    return { create, get, list } as MemoryStore
  }
  assert.deepEqual(await failuresOf(contractWith({ create })), [])
})
