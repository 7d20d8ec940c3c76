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
import { createComparer } from './pet-store/model.ts'
import {
  type DeclareCases,
  type Defects,
  runContract,
  testDefects,
  testSkippedCases,
} from './testing/run-contract.ts'

/** Returns the broken methods for a store. */
type Break = (store: MemoryStore) => Partial<PetStore>
type Values<M extends keyof MemoryStore> = Parameters<MemoryStore[M]>
type Result<M extends keyof MemoryStore> = ReturnType<MemoryStore[M]>

/** Changes a method's arguments. */
function breakCall<M extends keyof MemoryStore>(
  method: M,
  change: (...values: Values<M>) => Values<M>,
): Break {
  return (store) => ({
    [method]: (...values: Values<M>) => Reflect.apply(store[method], store, change(...values)),
  })
}

/** Changes a method's result. */
function breakResult<M extends keyof MemoryStore>(
  method: M,
  change: (result: Result<M>) => Result<M>,
): Break {
  return (store) => ({
    [method]: (...values: Values<M>) => change(Reflect.apply(store[method], store, values)),
  })
}

/** Changes the idempotency keys that a store receives. */
const breakKey =
  (change: (key: CreationKey) => Partial<CreationKey>): Break =>
  ({ createOnce, findCreated }) => ({
    createOnce: (pet, key) => createOnce(pet, { ...key, ...change(key) }),
    findCreated: (key) => findCreated({ ...key, ...change(key) }),
  })

const brokenStores: Defects<Break> = {
  'for random calls': {
    'rounds category ids': breakCall('create', (pet) => [
      { ...pet, categoryId: BigInt(Number(pet.categoryId)) },
    ]),
    'trims names': breakCall('create', (pet) => [{ ...pet, name: pet.name.trim() }]),
    'normalizes names': breakCall('create', (pet) => [{ ...pet, name: pet.name.normalize('NFC') }]),
    'loses characters beyond 16 bits': breakCall('create', (pet) => [
      { ...pet, name: pet.name.replace(/[\u{10000}-\u{10ffff}]/gu, '?') },
    ]),
    'truncates long names': breakCall('create', (pet) => [{ ...pet, name: pet.name.slice(0, 255) }]),
    'sets a status if none was given': breakCall('create', (pet) => [{ status: 'available', ...pet }]),
    'returns a different animal than it stores': breakResult('create', (pet) => ({ ...pet, name: 'Max' })),
    'assigns an id twice': breakResult('create', (pet) => ({ ...pet, id: 1n })),
    'assigns ids beyond 2^53': breakResult('create', (pet) => ({ ...pet, id: pet.id + 2n ** 53n })),
    'finds an animal for every id': ({ get, list }) => ({ get: (id) => get(id) ?? list({ limit: 1 })[0] }),
    'lists at most 100 animals': breakResult('list', (pets) => pets.slice(0, 100)),
    'ignores the limit': breakCall('list', (query) => [{ ...query, limit: 101 }]),
    'ignores the filter': breakCall('list', ({ status: _, ...query }) => [query]),
    'includes the animal with the id `after`': breakCall('list', ({ after = 0n, ...query }) => [
      { ...query, after: after - 1n },
    ]),
    'treats a negative `after` as a positive one': breakCall('list', ({ after = 0n, ...query }) => [
      { ...query, after: after < 0n ? -after : after },
    ]),
    'lists in descending order': breakResult('list', (pets) => pets.toReversed()),
    'filters after it limits the page': ({ list }) => ({
      list: ({ status, ...query }) => list(query).filter((pet) => !status || pet.status === status),
    }),
    'ignores idempotency keys': ({ create }) => ({
      createOnce: (pet) => ({ outcome: 'created', id: create(pet).id }),
    }),
    'ignores fingerprints': breakKey(() => ({ fingerprint: '' })),
    'treats all idempotency keys as one': breakKey(() => ({ token: '' })),
    'never expires idempotency keys': breakKey(() => ({ now: 0, expiresAt: 1 })),
    'expires idempotency keys 1 ms late': breakKey(({ expiresAt }) => ({ expiresAt: expiresAt + 1 })),
    'creates an animal for a reused idempotency key': ({ create, createOnce }) => ({
      createOnce(pet, key) {
        const result = createOnce(pet, key)
        if (result.outcome === 'reused') create(pet)
        return result
      },
    }),
    'creates an animal to find an idempotency key': ({ createOnce }) => ({
      findCreated: (key) => createOnce({ name: 'Rex', categoryId: 1n }, key),
    }),
    'resets the fields that are not updated': breakCall(
      'update',
      (id, { name = '', categoryId = 0n, status = null }) => [id, { name, categoryId, status }],
    ),
    'cannot remove a status': breakCall('update', (id, { status, ...changes }) => [
      id,
      { ...changes, ...(status && { status }) },
    ]),
    'filters by an outdated status'({ list }) {
      const firstVersions = new Map<bigint, Pet>()
      return {
        list({ status, limit, ...query }) {
          const pets = list({ ...query, limit: 10_000 })
          for (const pet of pets) if (!firstVersions.has(pet.id)) firstVersions.set(pet.id, pet)
          return pets.filter(({ id }) => !status || firstVersions.get(id)?.status === status).slice(0, limit)
        },
      }
    },
    'still lists removed animals'({ get }) {
      const removedIds = new Set<bigint>()
      return {
        get: (id) => (removedIds.has(id) ? undefined : get(id)),
        remove: (id) => !removedIds.has(id) && removedIds.add(id) && get(id) !== undefined,
      }
    },
    'reuses the id of a removed animal': ({ create, list }) => ({
      create(pet) {
        const highestId = list({ limit: 10_000 }).at(-1)?.id ?? 0n
        return { ...create(pet), id: highestId + 1n }
      },
    }),
    'forgets an idempotency key when its animal is removed': ({ createOnce, findCreated, get }) => ({
      createOnce(pet, key) {
        const foundPet = findCreated(key)
        const isGone = foundPet?.outcome === 'replayed' && !get(foundPet.id)
        return createOnce(pet, isGone ? { ...key, now: key.expiresAt } : key)
      },
    }),
    'rounds numbers in pages': breakResult('page', ({ json }) => ({
      json: JSON.stringify(JSON.parse(json)),
    })),
    'counts characters instead of bytes': breakResult('page', (page) => ({
      ...page,
      bytes: page.json.length,
    })),
    'links to an empty page': ({ page, list }) => ({
      page: (query) => ({ ...page(query), next: list(query).at(-1)?.id }),
    }),
  },
  'under concurrent calls': {
    'stores only one of several concurrent creations'({ create }) {
      let pending: Promise<Pet> | undefined
      return {
        async create(pet) {
          pending ??= nextTurn().then(() => create(pet))
          const creationResult = await pending
          pending = undefined
          return creationResult
        },
      }
    },
    'returns an outdated page'({ page }) {
      let first: PetPage | undefined
      return {
        page(query) {
          first ??= page(query)
          return first
        },
      }
    },
    'does not find an animal at the first attempt'({ get }) {
      const requestedIds = new Set<bigint>()
      return { get: (id) => (requestedIds.has(id) ? get(id) : void requestedIds.add(id)) }
    },
    'checks an idempotency key too early': ({ createOnce, findCreated }) => ({
      async createOnce(pet, key) {
        const foundPet = findCreated(key)
        await nextTurn()
        return foundPet ?? createOnce(pet, { ...key, now: key.expiresAt })
      },
    }),
    'stores the idempotency key when a creation fails': ({ createOnce }) => ({
      createOnce(pet, key) {
        try {
          return createOnce(pet, key)
        } catch (cause) {
          createOnce({ name: '', categoryId: 1n }, key)
          throw cause
        }
      },
    }),
    'overwrites a concurrent update': ({ get, update }) => ({
      async update(id, changes) {
        const petBefore = get(id)
        await nextTurn()
        return petBefore && update(id, { ...petBefore, ...changes })
      },
    }),
    'removes an animal several times': ({ get, remove }) => ({
      async remove(id) {
        const foundPet = get(id)
        await nextTurn()
        remove(id)
        return foundPet !== undefined
      },
    }),
    'restores an animal that is updated during its removal'({ get, update }) {
      const restoredPets = new Map<bigint, Pet>()
      return {
        get: (id) => get(id) ?? restoredPets.get(id),
        async update(id, changes) {
          const pet = get(id)
          await nextTurn()
          if (pet) restoredPets.set(id, pet)
          return update(id, changes) ?? pet
        },
      }
    },
  },
}

const brokenReopenings: Defects<(from: MemoryStore) => MemoryStore> = {
  'after the store is reopened': {
    'loses its animals': () => createMemoryStore(),
    'loses idempotency keys, updates and removals'(from) {
      const reopenedStore = createMemoryStore()
      for (const pet of from.list({ limit: 1000 })) reopenedStore.create(pet)
      return reopenedStore
    },
  },
}

function declareContract(options: Partial<PetStoreContractOptions<PetStore>>): DeclareCases {
  return (declare) => petStoreContract({ create: createMemoryStore, ...options, test: declare })
}

function createBrokenStore(breakIt: Break): PetStore {
  const store = createMemoryStore()
  return { ...store, ...breakIt(store) }
}

declareContract({})(test)
testSkippedCases(declareContract({}), 'options.reopen is missing')
testDefects(brokenStores, (breakIt) => declareContract({ create: () => createBrokenStore(breakIt) }))
testDefects(brokenReopenings, (reopen) => declareContract({ reopen: (from) => reopen(from as MemoryStore) }))

test('storeMethods marks exactly the methods that change animals as writes', async () => {
  const memory = createMemoryStore()
  const writingMethods = new Set<string>()
  const watchedMethods = Object.entries(memory).map(([name, method]) => {
    const callMethod = (...values: unknown[]) => {
      const petsBefore = memory.list({ limit: 1_000 })
      const returnedValue = Reflect.apply(method, memory, values)
      const petsAfter = memory.list({ limit: 1_000 })
      if (petsAfter.length !== petsBefore.length || petsAfter.some((pet, i) => pet !== petsBefore[i]))
        writingMethods.add(name)
      return returnedValue
    }
    return [name, callMethod] as const
  })
  await createComparer(0, true)(Object.fromEntries(watchedMethods) as unknown as PetStore, 500) // it has the methods of a store
  const expectedWrites = Object.entries(storeMethods).filter(([, effect]) => effect === 'writes')
  assert.deepEqual([...writingMethods].sort(), expectedWrites.map(([name]) => name).sort())
})

test('a failed contract test lists the calls that caused it', async () => {
  const cases: (() => Promise<void>)[] = []
  declareContract({ create: () => createBrokenStore(() => ({ get: () => undefined })) })((_, body) =>
    cases.push(body),
  )
  const trace = /the last of these calls returned .* than createMemoryStore:\n.*\nget\("\d+n"\)$/s
  await assert.rejects(cases[0] ?? assert.fail, trace)
})

test('a contract closes its stores, also after a failed test', async () => {
  let open = 0
  const createCountedStore = () => {
    open++
    return createBrokenStore(() => ({ create: () => assert.fail('full') }))
  }
  await runContract(declareContract({ create: createCountedStore, close: () => void open-- }))
  assert.equal(open, 0)
})

test('a contract accepts a store without optional methods', async () => {
  const { create, get, list } = createMemoryStore()
  assert.deepEqual(
    await runContract(declareContract({ create: () => ({ create, get, list }) }), 'under concurrent calls'),
    [],
  )
})
