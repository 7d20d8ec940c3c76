import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { petStatuses } from '../../../core/index.ts'
import type { Random } from '../../contracts/random.ts'
import { type ReceivedResponse, send } from './request.ts'

/** An animal from a response. Its numbers are strings, because they can exceed 2^53. */
export interface Animal {
  readonly id: string
  readonly name: string
  readonly categoryId: string
  readonly status: string
}

/** Environment with an API key whose limits no test reaches. */
export const unlimitedEnv: Readonly<Record<string, string>> = {
  PET_ADOPTION_API_KEY: 'the-key-of-the-tests',
  PET_ADOPTION_PLAN: 'enterprise',
  PET_ADOPTION_MINUTE: '10000000',
  PET_ADOPTION_DAY: '100000000',
}

/** An animal that a client creates. */
export interface Creation {
  readonly pet: Omit<Animal, 'id'>
  readonly idempotencyKey?: string
  /** The created animal, once a response has confirmed it. */
  acknowledged?: Animal
}

/** Sends a creation with its idempotency key. */
export function sendCreation(
  base: string,
  { pet: { name, categoryId, status }, idempotencyKey }: Creation,
  { agent, key = 'the-key-of-the-tests' }: { readonly agent: Agent; readonly key?: string },
): Promise<ReceivedResponse> {
  const body = `{"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`
  return send(`${base}/pets`, {
    method: 'POST',
    key,
    body,
    agent,
    ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
  })
}

/**
 * Checks the response to a creation and records the created animal. A repeated creation must return the same animal.
 */
export function acknowledge(creation: Creation, { status, body }: ReceivedResponse): Animal {
  assert.equal(status, 201, body)
  const [created] = parseAnimals(`[${body}]`)
  assert.ok(created)
  assert.deepEqual(created, creation.acknowledged ?? { ...creation.pet, id: created.id })
  creation.acknowledged = created
  return created
}

/** Reads all animals, page by page. */
export async function readAllAnimals(base: string, key = 'the-key-of-the-tests'): Promise<readonly Animal[]> {
  const agent = new Agent({ keepAlive: true })
  const animals: Animal[] = []
  for (;;) {
    const after = animals.at(-1)?.id ?? '0'
    const { status, body } = await send(`${base}/pets?limit=100&after=${after}`, { key, agent })
    assert.equal(status, 200, body)
    const page = parseAnimals(body)
    animals.push(...page)
    if (page.length < 100) break
  }
  agent.destroy()
  return animals
}

/** Checks that every acknowledged animal is stored, and that no ID was assigned twice. */
export function assertStored(stored: readonly Animal[], acknowledged: readonly Animal[]): void {
  const byId = new Map(stored.map((pet) => [pet.id, pet]))
  assert.equal(byId.size, stored.length, 'an id is stored twice')
  assert.equal(
    new Set(acknowledged.map(({ id }) => id)).size,
    acknowledged.length,
    'an id was assigned twice',
  )
  for (const pet of acknowledged) assert.deepEqual(byId.get(pet.id), pet)
}

/** Creates an animal whose name and category ID are hard to store. */
export function createRandomAnimal(random: Random, name: string): Omit<Animal, 'id'> {
  const categoryId =
    (BigInt(random.integer(-(2 ** 31), 2 ** 31 - 1)) << 32n) + BigInt(random.integer(0, 2 ** 32 - 1))
  return {
    name: name + random.pick([' 🐕', ' "\\', ' Кот', '\n', '']),
    categoryId: String(categoryId),
    status: random.pick(petStatuses),
  }
}

/** Parses animals without rounding their numbers. Every number follows a colon, and names contain none. */
function parseAnimals(json: string): readonly Animal[] {
  return JSON.parse(json.replace(/:(-?\d+)/g, ':"$1"'))
}
