import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type CreationKey,
  createMemoryStore,
  type MemoryStore,
  type Pet,
  type PetPage,
  type PetStore,
} from '../../core/index.ts'
import { storeMethods } from '../../core/pets/store.ts'
import { type PetStoreContractOptions, petStoreContract } from './index.ts'
import { createComparison } from './pet-store/model.ts'
import {
  type Broken,
  contractFinds,
  contractSkips,
  type Declare,
  runContract,
} from './testing/run-contract.ts'

/** Returns the methods of a store that it breaks. */
type Break = (store: MemoryStore) => Partial<PetStore>
type Values<M extends keyof MemoryStore> = Parameters<MemoryStore[M]>
type Result<M extends keyof MemoryStore> = ReturnType<MemoryStore[M]>

/** Breaks the arguments of a method. */
function calling<M extends keyof MemoryStore>(method: M, change: (...values: Values<M>) => Values<M>): Break {
  return (store) => ({
    [method]: (...values: Values<M>) => Reflect.apply(store[method], store, change(...values)),
  })
}

/** Breaks the result of a method. */
function returning<M extends keyof MemoryStore>(method: M, change: (result: Result<M>) => Result<M>): Break {
  return (store) => ({
    [method]: (...values: Values<M>) => change(Reflect.apply(store[method], store, values)),
  })
}

/** Changes each key of a creation. */
const keying =
  (change: (key: CreationKey) => Partial<CreationKey>): Break =>
  ({ createOnce, findCreated }) => ({
    createOnce: (pet, key) => createOnce(pet, { ...key, ...change(key) }),
    findCreated: (key) => findCreated({ ...key, ...change(key) }),
  })

const broken: Broken<Break> = {
  'over random calls of its methods': {
    'rounds categories': calling('create', (pet) => [{ ...pet, categoryId: BigInt(Number(pet.categoryId)) }]),
    'trims names': calling('create', (pet) => [{ ...pet, name: pet.name.trim() }]),
    'composes names': calling('create', (pet) => [{ ...pet, name: pet.name.normalize('NFC') }]),
    'loses numbers beyond 16 bits': calling('create', (pet) => [
      { ...pet, name: pet.name.replace(/[\u{10000}-\u{10ffff}]/gu, '?') },
    ]),
    'cuts long names': calling('create', (pet) => [{ ...pet, name: pet.name.slice(0, 255) }]),
    'sets a status if none was given': calling('create', (pet) => [{ status: 'available', ...pet }]),
    'returns another animal than it stores': returning('create', (pet) => ({ ...pet, name: 'Max' })),
    'assigns an id twice': returning('create', (pet) => ({ ...pet, id: 1n })),
    'assigns ids beyond 2^53': returning('create', (pet) => ({ ...pet, id: pet.id + 2n ** 53n })),
    'finds something under every id': ({ get, list }) => ({ get: (id) => get(id) ?? list({ limit: 1 })[0] }),
    'lists a hundred': returning('list', (pets) => pets.slice(0, 100)),
    'ignores the limit': calling('list', (query) => [{ ...query, limit: 101 }]),
    'ignores the filter': calling('list', ({ status: _, ...query }) => [query]),
    'lists the animal of `after` again': calling('list', ({ after = 0n, ...query }) => [
      { ...query, after: after - 1n },
    ]),
    'treats a negative `after` as a positive one': calling('list', ({ after = 0n, ...query }) => [
      { ...query, after: after < 0n ? -after : after },
    ]),
    'lists the last first': returning('list', (pets) => pets.toReversed()),
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
    'creates an animal to find a key': ({ createOnce }) => ({
      findCreated: (key) => createOnce({ name: 'Rex', categoryId: 1n }, key),
    }),
    'changes all fields or none': calling('update', (id, { name = '', categoryId = 0n, status = null }) => [
      id,
      { name, categoryId, status },
    ]),
    'cannot remove a status': calling('update', (id, { status, ...changes }) => [
      id,
      { ...changes, ...(status && { status }) },
    ]),
    'filters by the status that it has read first'({ list }) {
      const first = new Map<bigint, Pet>()
      return {
        list({ status, limit, ...query }) {
          const pets = list({ ...query, limit: 10_000 })
          for (const pet of pets) if (!first.has(pet.id)) first.set(pet.id, pet)
          return pets.filter(({ id }) => !status || first.get(id)?.status === status).slice(0, limit)
        },
      }
    },
    'only hides a removed animal from getPet'({ get }) {
      const removed = new Set<bigint>()
      return {
        get: (id) => (removed.has(id) ? undefined : get(id)),
        remove: (id) => !removed.has(id) && removed.add(id) && get(id) !== undefined,
      }
    },
    'assigns the id after the highest that is there': ({ create, list }) => ({
      create(pet) {
        const highest = list({ limit: 10_000 }).at(-1)?.id ?? 0n
        return { ...create(pet), id: highest + 1n }
      },
    }),
    'forgets the key of an animal that is removed': ({ createOnce, findCreated, get }) => ({
      createOnce(pet, key) {
        const found = findCreated(key)
        const isGone = found?.outcome === 'replayed' && !get(found.id)
        return createOnce(pet, isGone ? { ...key, now: key.expiresAt } : key)
      },
    }),
    'rounds numbers of pages': returning('page', ({ json }) => ({ json: JSON.stringify(JSON.parse(json)) })),
    'counts the characters of its pages': returning('page', (page) => ({ ...page, bytes: page.json.length })),
    'links to a page that is empty': ({ page, list }) => ({
      page: (query) => ({ ...page(query), next: list(query).at(-1)?.id }),
    }),
  },
  'under concurrent calls': {
    'stores only one of several concurrent creations'({ create }) {
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
    'shows the page that it has read first'({ page }) {
      let first: PetPage | undefined
      return {
        page(query) {
          first ??= page(query)
          return first
        },
      }
    },
    'does not show an animal immediately'({ get }) {
      const asked = new Set<bigint>()
      return { get: (id) => (asked.has(id) ? get(id) : void asked.add(id)) }
    },
    'looks for a key before it creates, and stores the key after that': ({ createOnce, findCreated }) => ({
      async createOnce(pet, key) {
        const found = findCreated(key)
        await nextTurn()
        return found ?? createOnce(pet, { ...key, now: key.expiresAt })
      },
    }),
    'stores the key of a creation that fails': ({ createOnce }) => ({
      createOnce(pet, key) {
        try {
          return createOnce(pet, key)
        } catch (cause) {
          createOnce({ name: '', categoryId: 1n }, key)
          throw cause
        }
      },
    }),
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

const brokenReopenings: Broken<(from: MemoryStore) => MemoryStore> = {
  'opened again': {
    'loses its animals': () => createMemoryStore(),
    'loses keys, changes and removals'(from) {
      const to = createMemoryStore()
      for (const pet of from.list({ limit: 1000 })) to.create(pet)
      return to
    },
  },
}

function contractWith(options: Partial<PetStoreContractOptions<PetStore>>): Declare {
  return (declare) => petStoreContract({ create: createMemoryStore, ...options, test: declare })
}

/** Creates a store that is broken. */
function createBroken(breakIt: Break): PetStore {
  const store = createMemoryStore()
  return { ...store, ...breakIt(store) }
}

contractWith({})(test)
contractSkips(contractWith({}), 'no options.reopen')
contractFinds(broken, (breakIt) => contractWith({ create: () => createBroken(breakIt) }))
contractFinds(brokenReopenings, (reopen) => contractWith({ reopen: (from) => reopen(from as MemoryStore) }))

test('every method of a store changes animals exactly if its row says so', async () => {
  const memory = createMemoryStore()
  const writing = new Set<string>()
  const watched = Object.entries(memory).map(([name, method]) => {
    const call = (...values: unknown[]) => {
      const before = memory.list({ limit: 1_000 })
      const returned = Reflect.apply(method, memory, values)
      const after = memory.list({ limit: 1_000 })
      if (after.length !== before.length || after.some((pet, i) => pet !== before[i])) writing.add(name)
      return returned
    }
    return [name, call] as const
  })
  await createComparison(0, true)(Object.fromEntries(watched) as unknown as PetStore, 500) // has the same methods
  const expected = Object.entries(storeMethods).filter(([, effect]) => effect === 'writes')
  assert.deepEqual([...writing].sort(), expected.map(([name]) => name).sort())
})

test('a case that fails lists the calls that led to it', async () => {
  const cases: (() => Promise<void>)[] = []
  contractWith({ create: () => createBroken(() => ({ get: () => undefined })) })((_, body) =>
    cases.push(body),
  )
  const trace = /the store in memory, the last of these:\n.*\nget\("\d+n"\)$/s
  await assert.rejects(cases[0] ?? assert.fail, trace)
})

test('the contract closes each store, also after a case that failed', async () => {
  let open = 0
  const create = () => {
    open++
    return createBroken(() => ({ create: () => assert.fail('full') }))
  }
  await runContract(contractWith({ create, close: () => void open-- }))
  assert.equal(open, 0)
})

test('the contract does not call optional methods that a store lacks', async () => {
  const { create, get, list } = createMemoryStore()
  assert.deepEqual(
    await runContract(contractWith({ create: () => ({ create, get, list }) }), 'under concurrent calls'),
    [],
  )
})
