import assert from 'node:assert/strict'
import {
  type CreateOnceResult,
  type CreationKey,
  type NewPet,
  type Pet,
  type PetChanges,
  type PetStore,
  petStatuses,
} from '../../../core/index.ts'
import { createRandom, type Random } from '../random.ts'
import { assertListed, byId, fields, readPages, type StoreCase } from './cases.ts'
import { firstUse, keyOf } from './creating-once.ts'
import { assertPage } from './paging.ts'
import { changed } from './updating.ts'

const seeds = [1, 2, 3]
const stepsPerSeed = 150
const statuses = [undefined, ...petStatuses] as const

/** What a store must have after the steps so far. */
interface Model {
  readonly pets: Map<bigint, Pet>
  readonly used: Set<bigint>
  readonly creations: Map<string, CreationKey & { readonly id: bigint }>
  /** The time of the next key, in milliseconds since the epoch. */
  now: number
}

/** Performs one operation on the store and on the model, and compares the results. */
type Step = (store: PetStore, model: Model, random: Random) => Promise<void>

const steps: readonly Step[] = [
  create,
  create,
  createOnce,
  findCreated,
  update,
  update,
  remove,
  get,
  list,
  list,
]

/** Compares a store with a Map over random sequences of all the methods that it has. */
export const modelCases: readonly StoreCase[] = seeds.map((seed) => ({
  name: `agrees with a plain Map over a random sequence of calls (${seed})`,
  async run(store) {
    const random = createRandom(seed)
    const model: Model = { pets: new Map(), used: new Set(), creations: new Map(), now: firstUse }
    for (let i = 0; i < stepsPerSeed; i++)
      await random.pick(steps as readonly [Step, ...Step[]])(store, model, random) // not empty
    assertListed(await readPages(store, { limit: 101 }), [...model.pets.values()])
  },
}))

async function create(store: PetStore, model: Model, random: Random): Promise<void> {
  const pet = randomPet(random)
  const created = await store.create(pet)
  add(model, created.id, pet)
  assert.deepEqual(fields(created), fields({ ...pet, id: created.id }))
}

async function createOnce(store: PetStore, model: Model, random: Random): Promise<void> {
  if (!store.createOnce) return
  const pet = randomPet(random)
  const key = randomKey(model, random)
  const expected = resultFor(model, key)
  const result = await store.createOnce(pet, key)
  if (expected) {
    assert.deepEqual(result, expected)
    return
  }
  assert.equal(result.outcome, 'created')
  if (result.outcome !== 'created') return
  add(model, result.id, pet)
  model.creations.set(key.token, { ...key, id: result.id })
}

async function findCreated(store: PetStore, model: Model, random: Random): Promise<void> {
  const key = randomKey(model, random)
  if (store.findCreated) assert.deepEqual(await store.findCreated(key), resultFor(model, key))
}

async function update(store: PetStore, model: Model, random: Random): Promise<void> {
  if (!store.update) return
  const id = randomId(model, random)
  const changes = randomChanges(random)
  const before = model.pets.get(id)
  const expected = before && changed(before, changes)
  const returned = await store.update(id, changes)
  assert.deepEqual(returned && fields(returned), expected && fields(expected))
  if (expected) model.pets.set(id, expected)
}

async function remove(store: PetStore, model: Model, random: Random): Promise<void> {
  const id = randomId(model, random)
  if (store.remove) assert.equal(await store.remove(id), model.pets.delete(id))
}

async function get(store: PetStore, model: Model, random: Random): Promise<void> {
  const id = randomId(model, random)
  const found = await store.get(id)
  const expected = model.pets.get(id)
  assert.deepEqual(found && fields(found), expected && fields(expected))
}

async function list(store: PetStore, model: Model, random: Random): Promise<void> {
  const status = random.pick(statuses)
  const limit = random.pick([1, 2, 3, 5, 20, 101])
  const after = random.pick([undefined, randomId(model, random)])
  const matching = byId([...model.pets.values()]).filter(
    (pet) => pet.id > (after ?? 0n) && (status === undefined || pet.status === status),
  )
  const query = { limit, ...(status && { status }), ...(after !== undefined && { after }) }
  assertListed(await store.list(query), matching.slice(0, limit))
  await assertPage(store, query)
}

function add({ pets, used }: Model, id: bigint, pet: NewPet): void {
  assert.ok(!used.has(id), `id ${id} was used before`)
  used.add(id)
  pets.set(id, { ...pet, id })
}

function resultFor(
  { creations }: Model,
  { token, fingerprint, now }: CreationKey,
): CreateOnceResult | undefined {
  const creation = creations.get(token)
  if (!creation || creation.expiresAt <= now) return undefined
  return creation.fingerprint === fingerprint
    ? { outcome: 'replayed', id: creation.id }
    : { outcome: 'reused' }
}

function randomPet(random: Random): NewPet {
  const status = random.pick(statuses)
  return {
    name: random.pick(['Rex', '', 'Zoë']),
    categoryId: randomCategory(random),
    ...(status && { status }),
  }
}

function randomChanges(random: Random): PetChanges {
  const status = random.pick([undefined, null, ...petStatuses])
  return {
    ...(random.pick([true, false]) && { name: random.pick(['Max', "O'Neill", '']) }),
    ...(random.pick([true, false]) && { categoryId: randomCategory(random) }),
    ...(status !== undefined && { status }),
  }
}

function randomCategory(random: Random): bigint {
  return random.pick([0n, 1n, -1n, 2n ** 63n - 1n, -(2n ** 63n)])
}

/** Returns an id that an animal has, has had, or never has. */
function randomId({ used }: Model, random: Random): bigint {
  const ids = [...used]
  return ids[random.whole(0, ids.length - 1)] ?? random.pick([0n, -1n, 2n ** 60n])
}

/** Returns one of a few keys, some hours after the last one, so that keys are used again and expire. */
function randomKey(model: Model, random: Random): CreationKey {
  model.now += random.whole(0, 5) * 3_600_000
  return keyOf(random.pick(['a', 'b', 'c', 'd']), random.pick(['f', 'f', 'g']), model.now)
}
