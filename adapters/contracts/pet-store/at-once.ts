import assert from 'node:assert/strict'
import {
  type CreationKey,
  type NewPet,
  type Pet,
  type PetQuery,
  type PetStatus,
  type PetStore,
  petStatuses,
  petToJson,
} from '../../../core/index.ts'
import { createRandom } from '../random.ts'
import { assertReturned, createTestKey, randomPet } from './model.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'sold' } as const
const unreadable = null as unknown as NewPet // what no store can read
const differentFields = [{ name: 'Max' }, { categoryId: 2n }, { status: 'sold' }] as const

/** Creates, changes and removes animals, and lists them meanwhile, by every method that a store has. */
export async function callAtOnce(store: PetStore): Promise<void> {
  const random = createRandom(0)
  /** The animals that nothing changes from now on. */
  const stored: Pet[] = []

  async function liveOne(isRemoved: boolean): Promise<void> {
    const newPet = randomPet(random)
    const { id } = await store.create(newPet)
    await assertShown({ ...newPet, id })
    await Promise.all(differentFields.map(async (change) => store.update?.(id, change)))
    const pet = Object.assign({ ...newPet, id }, ...(store.update ? differentFields : []))
    await assertShown(pet)
    if (isRemoved && store.remove) await remove(id)
    else stored.push(pet)
    await list(isRemoved ? 'sold' : undefined)
  }

  async function assertShown(pet: Pet): Promise<void> {
    assertReturned(await store.get(pet.id), pet)
    assertReturned(await store.list({ limit: 1, after: pet.id - 1n }), [pet])
    const { json = petToJson(pet) } = (await store.page?.({ limit: 100 })) ?? {}
    assert.ok(json.includes(petToJson(pet)), `${petToJson(pet)} is not in ${json}`)
  }

  async function remove(id: bigint): Promise<void> {
    const change = async () => store.update?.(id, { name: 'Rex', status: 'pending' })
    const removals = Array.from({ length: 8 }, async () => store.remove?.(id))
    const [, ...removed] = await Promise.all([change(), ...removals])
    assert.equal(removed.filter(Boolean).length, 1, `the removals of ${id} that returned true`)
    assertReturned([await store.get(id), await change()], [undefined, undefined])
  }

  async function createOnce(): Promise<void> {
    const keys = Array.from({ length: 200 }, (_, i) => createTestKey(`${i % 5}`, i % 2 ? 'f' : 'g'))
    const results = await Promise.all(keys.map(async (key) => store.createOnce?.(rex, key)))
    const count = (outcome: string) => results.filter((result) => result?.outcome === outcome).length
    assert.deepEqual([count('created'), count('replayed'), count('reused')], [5, 95, 100])
    for (const result of results) if (result?.outcome === 'created') stored.push({ ...rex, id: result.id })
  }

  /** Reads all pages. They contain every animal stored before, and at the end nothing else. */
  async function list(status?: PetStatus, isEnd = false): Promise<void> {
    const before = stored.filter((pet) => !status || pet.status === status)
    const listed = new Map<bigint, Pet>()
    let query: PetQuery = { limit: 25, ...(status && { status }) }
    let page: readonly Pet[]
    do {
      page = await store.list(query)
      for (const pet of page) {
        assert.ok(pet.id > (query.after ?? 0n), `id ${pet.id} follows ${query.after}`)
        query = { ...query, after: pet.id }
        listed.set(pet.id, pet)
      }
    } while (page.length === query.limit)
    for (const pet of before) assertReturned(listed.get(pet.id), pet)
    if (isEnd) assert.equal(listed.size, before.length)
  }

  /** Stores both the animal and the key, or neither. */
  async function failToCreate(newPet: NewPet, key: CreationKey): Promise<void> {
    const create = async (pet: NewPet) => store.createOnce?.(pet, key)
    const [{ status }] = await Promise.allSettled([create(newPet)])
    assert.equal((await store.findCreated?.(key)) !== undefined, status === 'fulfilled')
    if (status === 'rejected') assert.equal((await create(rex))?.outcome, 'created')
  }

  const lives = Array.from({ length: 18 }, async () => {
    for (let i = 0; i < 5; i++) await liveOne(i % 2 === 1)
  })
  await Promise.all([...lives, store.createOnce && createOnce()])
  for (const status of [undefined, ...petStatuses]) await list(status, true)
  if (!store.createOnce) return
  await failToCreate(unreadable, createTestKey('unreadable'))
  // A database can have a constraint on the status, which fails only after the key is stored.
  await failToCreate({ ...rex, status: 'lost' as PetStatus }, createTestKey('unknown'))
}
