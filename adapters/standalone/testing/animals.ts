import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { petStatuses } from '../../../core/index.ts'
import type { Random } from '../../contracts/random.ts'
import { type ReceivedResponse, send } from './request.ts'

/** An animal of a response, its int64 as text. */
export interface Animal {
  readonly id: string
  readonly name: string
  readonly categoryId: string
  readonly status: string
}

/** The variables of a server with one key, `the-key-of-the-tests`, whose limits are never reached. */
export const unlimited: Readonly<Record<string, string>> = {
  PET_ADOPTION_API_KEY: 'the-key-of-the-tests',
  PET_ADOPTION_PLAN: 'enterprise',
  PET_ADOPTION_MINUTE: '10000000',
  PET_ADOPTION_DAY: '100000000',
}

/** A creation that was sent, perhaps with an `Idempotency-Key`. */
export interface Creation {
  readonly pet: Omit<Animal, 'id'>
  readonly idempotencyKey?: string
  /** The animal of its 201, once that has arrived. */
  acknowledged?: Animal
}

/** Sends a creation, for the first time or again. */
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

/** Returns the animal of a 201. It must match the creation, and the earlier 201 of a repeated creation. */
export function acknowledge(creation: Creation, { status, body }: ReceivedResponse): Animal {
  assert.equal(status, 201, body)
  const [made] = parseAnimals(`[${body}]`)
  assert.ok(made)
  assert.deepEqual(made, creation.acknowledged ?? { ...creation.pet, id: made.id })
  creation.acknowledged = made
  return made
}

/** Lists every animal of a server, page by page. */
export async function readAll(base: string, key = 'the-key-of-the-tests'): Promise<readonly Animal[]> {
  const agent = new Agent({ keepAlive: true })
  const met: Animal[] = []
  for (;;) {
    const after = met.at(-1)?.id ?? '0'
    const { status, body } = await send(`${base}/pets?limit=100&after=${after}`, { key, agent })
    assert.equal(status, 200, body)
    const page = parseAnimals(body)
    met.push(...page)
    if (page.length < 100) break
  }
  agent.destroy()
  return met
}

/** Asserts that every acknowledged animal is stored unchanged, and no id twice. */
export function assertStored(stored: readonly Animal[], acknowledged: readonly Animal[]): void {
  const byId = new Map(stored.map((pet) => [pet.id, pet]))
  assert.equal(byId.size, stored.length, 'an id is there twice')
  assert.equal(new Set(acknowledged.map(({ id }) => id)).size, acknowledged.length, 'an id was given twice')
  for (const pet of acknowledged) assert.deepEqual(byId.get(pet.id), pet)
}

/** Returns an animal that differs from others. */
export function randomAnimal(random: Random, name: string): Omit<Animal, 'id'> {
  const categoryId =
    (BigInt(random.whole(-(2 ** 31), 2 ** 31 - 1)) << 32n) + BigInt(random.whole(0, 2 ** 32 - 1))
  return {
    name: name + random.pick([' 🐕', ' "\\', ' Кот', '\n', '']),
    categoryId: String(categoryId),
    status: random.pick(petStatuses),
  }
}

/** Parses animals. Their names contain no colon, so each number after a colon is an int64. */
function parseAnimals(json: string): readonly Animal[] {
  return JSON.parse(json.replace(/:(-?\d+)/g, ':"$1"'))
}
