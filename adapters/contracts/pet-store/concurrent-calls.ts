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
import { assertReturned, createRandomPet, createTestKey } from './model.ts'

const rexPet = { name: 'Rex', categoryId: 1n, status: 'sold' } as const
const unreadablePet = null as unknown as NewPet // `null` instead of an animal
const differentFields = [{ name: 'Max' }, { categoryId: 2n }, { status: 'sold' }] as const

/**
 * Creates, updates, lists and removes animals concurrently with every method that the store has, and checks every
 * result.
 */
export async function callConcurrently(store: PetStore): Promise<void> {
  const random = createRandom(0)
  /** Animals that no call will change. */
  const remainingPets: Pet[] = []

  async function runLifecycle(isRemoved: boolean): Promise<void> {
    const newPet = createRandomPet(random)
    const { id } = await store.create(newPet)
    await assertStored({ ...newPet, id })
    await Promise.all(differentFields.map(async (change) => store.update?.(id, change)))
    const pet = Object.assign({ ...newPet, id }, ...(store.update ? differentFields : []))
    await assertStored(pet)
    if (isRemoved && store.remove) await assertRemovedOnce(id)
    else remainingPets.push(pet)
    await assertListed(isRemoved ? 'sold' : undefined)
  }

  async function assertStored(pet: Pet): Promise<void> {
    assertReturned(await store.get(pet.id), pet)
    assertReturned(await store.list({ limit: 1, after: pet.id - 1n }), [pet])
    const { json = petToJson(pet) } = (await store.page?.({ limit: 100 })) ?? {}
    assert.ok(json.includes(petToJson(pet)), `the page ${json} must contain the animal ${petToJson(pet)}`)
  }

  async function assertRemovedOnce(id: bigint): Promise<void> {
    const change = async () => store.update?.(id, { name: 'Rex', status: 'pending' })
    const removals = Array.from({ length: 8 }, async () => store.remove?.(id))
    const [, ...removed] = await Promise.all([change(), ...removals])
    assert.equal(removed.filter(Boolean).length, 1, `exactly one call of remove(${id}) must return true`)
    assertReturned([await store.get(id), await change()], [undefined, undefined])
  }

  async function createWithSharedKeys(): Promise<void> {
    const keys = Array.from({ length: 200 }, (_, i) => createTestKey(`${i % 5}`, i % 2 ? 'f' : 'g'))
    const creationResults = await Promise.all(keys.map(async (key) => store.createOnce?.(rexPet, key)))
    const countOutcome = (outcome: string) =>
      creationResults.filter((result) => result?.outcome === outcome).length
    assert.deepEqual(
      [countOutcome('created'), countOutcome('replayed'), countOutcome('reused')],
      [5, 95, 100],
    )
    for (const result of creationResults)
      if (result?.outcome === 'created') remainingPets.push({ ...rexPet, id: result.id })
  }

  /**
   * Lists all pages, and asserts that they contain every remaining animal. `isComplete` means that no other call is
   * running.
   */
  async function assertListed(status?: PetStatus, isComplete = false): Promise<void> {
    const expectedPets = remainingPets.filter((pet) => !status || pet.status === status)
    const listedPets = new Map<bigint, Pet>()
    let query: PetQuery = { limit: 25, ...(status && { status }) }
    let page: readonly Pet[]
    do {
      page = await store.list(query)
      for (const pet of page) {
        assert.ok(pet.id > (query.after ?? 0n), `id ${pet.id} follows ${query.after}`)
        query = { ...query, after: pet.id }
        listedPets.set(pet.id, pet)
      }
    } while (page.length === query.limit)
    for (const pet of expectedPets) assertReturned(listedPets.get(pet.id), pet)
    if (isComplete) assert.equal(listedPets.size, expectedPets.length)
  }

  /** Asserts that a failed creation stores neither an animal nor its idempotency key. */
  async function assertAtomicCreation(newPet: NewPet, key: CreationKey): Promise<void> {
    const createWithKey = async (pet: NewPet) => store.createOnce?.(pet, key)
    const [{ status }] = await Promise.allSettled([createWithKey(newPet)])
    assert.equal((await store.findCreated?.(key)) !== undefined, status === 'fulfilled')
    if (status === 'rejected') assert.equal((await createWithKey(rexPet))?.outcome, 'created')
  }

  const lifecycles = Array.from({ length: 18 }, async () => {
    for (let i = 0; i < 5; i++) await runLifecycle(i % 2 === 1)
  })
  await Promise.all([...lifecycles, store.createOnce && createWithSharedKeys()])
  for (const status of [undefined, ...petStatuses]) await assertListed(status, true)
  if (!store.createOnce) return
  await assertAtomicCreation(unreadablePet, createTestKey('unreadable'))
  // A database may check the status after it has stored the idempotency key.
  await assertAtomicCreation({ ...rexPet, status: 'lost' as PetStatus }, createTestKey('unknown'))
}
