import assert from 'node:assert/strict'
import {
  type CreateOnceResult,
  type CreationKey,
  type NewPet,
  type Pet,
  type PetChanges,
  type PetQuery,
  petStatuses,
  petToJson,
} from '../../../core/index.ts'
import { createRandom, type Random } from '../random.ts'
import {
  assertListed,
  type FullStore,
  fields,
  firstUse,
  int64Max,
  int64Min,
  keyOf,
  readPages,
  type StoreCase,
} from './cases.ts'
import { names } from './exactly.ts'

const steps = 500
const hourMs = 3_600_000
const statuses = [undefined, ...petStatuses] as const
/** Those of which a page of a hundred is not long. */
const shortNames = Object.values(names).filter(({ length }) => length < 300) as [string, ...string[]] // not empty

/** What a store must have after the calls so far. */
interface Model {
  readonly pets: Map<bigint, Pet>
  readonly used: Set<bigint>
  readonly creations: Map<string, CreationKey & { readonly id: bigint }>
  /** The time of the next key, in milliseconds since the epoch. */
  now: number
}

/** Calls a method of the store, does the same with the model, and compares the results. */
type Step = (store: FullStore, model: Model, random: Random) => Promise<void>
type Method = keyof FullStore

/** The methods that are called, as often as each is named; those that the store does not have are left out. */
const methods: readonly Method[] = [
  ...(['create', 'create', 'createOnce', 'createOnce', 'findCreated', 'update', 'update'] as const),
  ...(['remove', 'get', 'list', 'list', 'page', 'page'] as const),
]

const notOpened: StoreCase = {
  name: 'agrees with a plain Map over random calls of every method that it has',
  async run(store) {
    const random = createRandom(0)
    const model = createModel()
    await traced(store, async (traced) => {
      assert.deepEqual(await traced.list({ limit: 20 }), [])
      assert.equal(await traced.get(1n), undefined)
      for (let i = 0; i < 4; i++) await takeSteps(traced, model, random)
    })
  },
}

const openedAgain: StoreCase = {
  name: 'agrees with a plain Map over random calls before it is opened again and after it',
  needs: ['reopenStore'],
  async run(store, reopen) {
    const random = createRandom(1)
    const model = createModel()
    await traced(store, (traced) => takeSteps(traced, model, random))
    await reopen((second) => traced(second, (traced) => takeSteps(traced, model, random)))
  },
}

/** Compares a store with a Map over random sequences of calls. */
export const modelCases: readonly StoreCase[] = [notOpened, openedAgain]

function createModel(): Model {
  return { pets: new Map(), used: new Set(), creations: new Map(), now: firstUse }
}

async function takeSteps(store: FullStore, model: Model, random: Random): Promise<void> {
  await assertAll(store, model)
  const own = methods.filter((method) => store[method]) as [Method, ...Method[]] // each has create
  for (let i = 0; i < steps; i++) await stepOf[random.pick(own)](store, model, random)
  await assertAll(store, model)
}

async function assertAll(store: FullStore, model: Model): Promise<void> {
  for (const status of statuses)
    for (const limit of [7, 101]) {
      const query = { limit, ...(status && { status }) }
      assertListed(await readPages(store, query), matching(model, query))
    }
}

const stepOf: Readonly<Record<Method, Step>> = {
  async create(store, model, random) {
    const pet = randomPet(random)
    const created = await store.create(pet)
    assert.deepEqual(fields(created), fields({ ...pet, id: created.id }))
    add(model, created.id, pet)
  },
  async createOnce(store, model, random) {
    const pet = randomPet(random)
    const key = randomKey(model, random)
    const earlier = resultFor(model, key)
    const result = await store.createOnce(pet, key)
    if (earlier || result.outcome !== 'created') return assert.deepEqual(result, earlier)
    add(model, result.id, pet)
    model.creations.set(key.token, { ...key, id: result.id })
  },
  async findCreated(store, model, random) {
    const key = randomKey(model, random)
    assert.deepEqual(await store.findCreated(key), resultFor(model, key))
  },
  async update(store, model, random) {
    const id = randomId(model, random)
    const changes = randomChanges(random)
    const before = model.pets.get(id)
    const expected = before && changed(before, changes)
    assert.deepEqual(fields(await store.update(id, changes)), fields(expected))
    if (expected) model.pets.set(id, expected)
  },
  async remove(store, model, random) {
    const id = randomId(model, random)
    assert.equal(await store.remove(id), model.pets.delete(id))
  },
  async get(store, model, random) {
    const id = randomId(model, random)
    assert.deepEqual(fields(await store.get(id)), fields(model.pets.get(id)))
  },
  async list(store, model, random) {
    const query = randomQuery(model, random)
    assertListed(await store.list(query), matching(model, query).slice(0, query.limit))
  },
  async page(store, model, random) {
    const query = randomQuery(model, random)
    const pets = matching(model, query)
    const shown = pets.slice(0, query.limit)
    const json = `[${shown.map(petToJson).join()}]`
    const page = await store.page(query)
    assert.equal(page.json, json)
    assert.equal(page.next, pets.length > shown.length ? shown.at(-1)?.id : undefined)
    if (page.bytes !== undefined) assert.equal(page.bytes, new TextEncoder().encode(json).length)
  },
}

/** Does some work on a store whose calls are recorded, and lists the last ones where it fails. */
async function traced(store: FullStore, work: (traced: FullStore) => Promise<void>): Promise<void> {
  const calls: string[] = []
  const traced = new Proxy(store, {
    get(_, method) {
      const call: unknown = Reflect.get(store, method)
      if (typeof call !== 'function') return call
      return (...values: unknown[]) => {
        const text = JSON.stringify(values, (_, one) => (typeof one === 'bigint' ? `${one}n` : one))
        calls.push(`${String(method)}(${text.slice(1, -1)})`)
        return call.apply(store, values)
      }
    },
  })
  try {
    await work(traced)
  } catch (cause) {
    const last = calls.slice(-20).join('\n')
    throw new Error(`a call differs from a plain Map, the last of these:\n${last}`, { cause })
  }
}

function add({ pets, used }: Model, id: bigint, pet: NewPet): void {
  assert.ok(!used.has(id), `id ${id} was used before`)
  assert.ok(id >= 1n && id <= 2n ** 53n - 1n, `id ${id} is not from 1 to 2^53 - 1`)
  used.add(id)
  pets.set(id, { ...pet, id })
}

/** Returns the animals that a query would return if it had no limit. */
function matching({ pets }: Model, { status, after = 0n }: PetQuery): Pet[] {
  const found = [...pets.values()].filter((pet) => pet.id > after && (!status || pet.status === status))
  return found.sort((a, b) => (a.id < b.id ? -1 : 1))
}

function changed(pet: Pet, { status, ...others }: PetChanges): Pet {
  const { status: before, ...rest } = { ...pet, ...others }
  const after = status === undefined ? before : status
  return after ? { ...rest, status: after } : rest
}

function resultFor({ creations }: Model, key: CreationKey): CreateOnceResult | undefined {
  const creation = creations.get(key.token)
  if (!creation || creation.expiresAt <= key.now) return undefined
  return creation.fingerprint === key.fingerprint
    ? { outcome: 'replayed', id: creation.id }
    : { outcome: 'reused' }
}

function randomPet(random: Random): NewPet {
  const status = random.pick(statuses)
  return { name: random.pick(shortNames), categoryId: randomCategory(random), ...(status && { status }) }
}

function randomChanges(random: Random): PetChanges {
  const status = random.pick([undefined, null, ...petStatuses])
  return {
    ...(random.pick([true, false]) && { name: random.pick(shortNames) }),
    ...(random.pick([true, false]) && { categoryId: randomCategory(random) }),
    ...(status !== undefined && { status }),
  }
}

function randomCategory(random: Random): bigint {
  return random.pick([0n, 1n, -1n, 2n ** 53n + 1n, int64Max, int64Min])
}

/** Often one of the first pages, which a store may cache. */
function randomQuery(model: Model, random: Random): PetQuery {
  const status = random.pick(statuses)
  const after = random.pick([undefined, undefined, randomId(model, random), oddId(model, random)])
  return {
    limit: random.pick([1, 2, 3, 20, 101]),
    ...(status && { status }),
    ...(after !== undefined && { after }),
  }
}

/** Returns an id that an animal has or has had, often the newest, and at times one that none ever has. */
function randomId(model: Model, random: Random): bigint {
  const ids = [...model.used]
  const newest = ids.at(-1) ?? 0n
  const some = random.pick([newest, ...ids])
  return random.pick([newest, newest, some, some, some, oddId(model, random)])
}

function oddId({ used }: Model, random: Random): bigint {
  const some = random.pick([0n, ...used])
  return random.pick([-some, -some, some + 2n ** 53n, BigInt(used.size) + 1n, -1n, int64Max, int64Min])
}

/** Returns one of a few keys, at times an hour after the last one, so that keys are used again and expire. */
function randomKey(model: Model, random: Random): CreationKey {
  model.now += random.pick([0, 0, hourMs])
  const [token, print] = [random.pick(['a', 'b', 'c', 'd']), random.pick(['f', 'f', 'f', 'g'])]
  return keyOf(token, print, model.now, random.pick([2, 10, 50]) * hourMs)
}
