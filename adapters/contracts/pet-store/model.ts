import assert from 'node:assert/strict'
import {
  type CreationKey,
  createMemoryStore,
  type MemoryStore,
  type NewPet,
  type Pet,
  type PetQuery,
  type PetStore,
  petStatuses,
  petToJson,
  sha256,
} from '../../../core/index.ts'
import { createRandom, type Random } from '../random.ts'

const hourMs = 3_600_000
const [int64Min, int64Max] = [-(2n ** 63n), 2n ** 63n - 1n]
const categoryIds = [0n, 1n, -1n, 2n ** 31n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, int64Max, int64Min] as const

/** Names that some stores change, truncate or reject. All are valid Unicode without U+0000. */
const petNames = [
  '',
  '  REX rex  ',
  '007',
  `"Rex" 'O\\'Neill' \\\\ \\u0041 \\x41`,
  "Robert'); DROP TABLE pets;-- %s $1 {} %_ ? :name @name",
  Array.from({ length: 0xff }, (_, i) => String.fromCharCode(i + 1)).join(''),
  '\ufeffRex\ufeff \ufffd \ufffe\uffff\u{10ffff} \u2028\u2029',
  '🐕‍🦺𝕽𝖊𝖝𠮷 🏴󠁧󠁢󠁳󠁣󠁴󠁿👍🏽 رِكْس \u202ekcab\u202c שלום R\u200be\u200dx\u00ad',
  `Zoë Å Zoe\u0308 A\u030a Z${'\u0301\u0316'.repeat(50)}`, // composed and decomposed characters
] as const
const longNames = ['Rex '.repeat(15_000), '🐕'.repeat(15_000)]

export function createRandomPet(random: Random): NewPet {
  const status = random.pick([{}, ...petStatuses.map((status) => ({ status }))])
  return { name: random.pick(petNames), categoryId: random.pick(categoryIds), ...status }
}

/** Picks random arguments for every method. Time passes only if `clock` is true. */
function pickArguments(
  random: Random,
  ids: readonly bigint[],
  clock: boolean,
): { readonly [Method in keyof MemoryStore]: Parameters<MemoryStore[Method]> } {
  const pickMaybe = <Members extends object>(members: Members) => random.pick([{}, members])
  const [pet, { name, categoryId }] = [createRandomPet(random), createRandomPet(random)]
  const status = random.pick(petStatuses)
  // An existing or removed animal, often the newest. Sometimes an id that was never assigned.
  const newestId = ids.at(-1) ?? 0n
  const knownId = random.pick([newestId, ...ids])
  const unusualId = random.pick([
    -knownId,
    -knownId,
    knownId + 2n ** 53n,
    BigInt(ids.length) + 1n,
    -1n,
    int64Max,
    int64Min,
  ])
  const id = random.pick([newestId, newestId, knownId, knownId, knownId, unusualId])
  // Often one of the first pages, because a store may cache them.
  const query = {
    limit: random.pick([1, 2, 3, 20, 101]),
    ...pickMaybe({ status }),
    ...pickMaybe({ after: id }),
  }
  const newStatus = random.pick([null, status])
  const changes = {
    ...pickMaybe({ name }),
    ...pickMaybe({ categoryId }),
    ...pickMaybe({ status: newStatus }),
  }
  // There are few idempotency keys, and each animal advances the clock by 20 minutes, so keys expire and are used
  // again.
  const [token, fingerprint] = [random.pick(['a', 'b', 'c', 'd']), random.pick(['f', 'f', 'f', 'g'])]
  const nowMs = clock ? firstUseTime + (ids.length * hourMs) / 3 : firstUseTime
  const key = createTestKey(token, fingerprint, nowMs, random.pick([2, 10, 50]) * hourMs)
  return {
    create: [pet],
    createOnce: [pet, key],
    findCreated: [key],
    update: [id, changes],
    remove: [id],
    get: [id],
    list: [query],
    page: [query],
  }
}

/** Creates a store in memory that uses the tested store's ids. `adopt` sets the next animal's id. */
function createReferenceStore() {
  const memory = createMemoryStore() // assigns the ids 1, 2, 3, …
  /** Ids from the tested store, oldest first. */
  const assignedIds: bigint[] = []
  let newId = 0n

  /** Returns the id in the memory store, or 0 for an unknown id. */
  const toMemoryId = (id: bigint) => BigInt(assignedIds.indexOf(id) + 1)

  /** Replaces a result's id by the id in the tested store. A new id must be in range and unused. */
  function replaceId<Result>(result: Result): Result {
    const resultIndex = Number(Object(result).id) - 1
    if (Number.isNaN(resultIndex)) return result
    if (resultIndex === assignedIds.length) {
      assert.ok(newId >= 1n && newId <= 2n ** 53n - 1n, `id ${newId} must be from 1 to 2^53 - 1`)
      assert.ok(!assignedIds.includes(newId), `id ${newId} was already assigned`)
      assignedIds.push(newId)
    }
    return { ...result, id: assignedIds[resultIndex] }
  }

  /** Returns the matching animals, ordered by the tested store's ids, which it may assign in any order. */
  function findMatching({ status, after = 0n }: PetQuery): Pet[] {
    const pets = memory.list({ limit: Number.POSITIVE_INFINITY, ...(status && { status }) }).map(replaceId)
    return pets.filter(({ id }) => id > after).sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  const store: MemoryStore = {
    create: (pet) => replaceId(memory.create(pet)),
    createOnce: (pet, key) => replaceId(memory.createOnce(pet, key)),
    findCreated: (key) => replaceId(memory.findCreated(key)),
    update: (id, changes) => replaceId(memory.update(toMemoryId(id), changes)),
    remove: (id) => memory.remove(toMemoryId(id)),
    get: (id) => replaceId(memory.get(toMemoryId(id))),
    list: (query) => findMatching(query).slice(0, query.limit),
    page(query) {
      const pets = findMatching(query)
      const json = `[${pets.slice(0, query.limit).map(petToJson).join()}]`
      return { json, next: pets[query.limit] && pets[query.limit - 1]?.id }
    },
  }
  return { store, ids: assignedIds, adopt: (id: bigint) => (newId = id) }
}

/**
 * Creates a function that calls random store methods, and asserts that a store in memory returns the same results. The
 * animals and ids are remembered between calls.
 */
export function createComparer(
  seed: number,
  clock: boolean,
): (store: PetStore, callCount: number) => Promise<void> {
  const [reference, random] = [createReferenceStore(), createRandom(seed)]
  const callLog: string[] = []
  async function compare(store: PetStore, method: keyof PetStore, values: readonly unknown[]): Promise<void> {
    callLog.push(`${method}(${formatValue(values)?.slice(1, -1).slice(0, 1_000)})`)
    const callMethod = (one: PetStore) =>
      (one[method] as (...values: readonly unknown[]) => unknown)(...values) // the arguments belong to this method
    const returnedValue = await callMethod(store)
    reference.adopt(Object(returnedValue).id)
    assertReturned(returnedValue, callMethod(reference.store))
    const { json, bytes } = Object(returnedValue)
    if (bytes !== undefined) assert.equal(bytes, new TextEncoder().encode(json).length)
  }
  return async (store, callCount) => {
    const availableMethods = (Object.keys(reference.store) as (keyof PetStore)[]).filter(
      (method) => store[method],
    ) // the keys are method names
    try {
      for (const name of longNames) await compare(store, 'create', [{ name, categoryId: 1n }])
      for (let i = 0; i < callCount; i++) {
        // More animals are created than removed, so the list grows past 100.
        const method = random.pick([...availableMethods, 'create', 'create', 'create'] as const)
        await compare(store, method, pickArguments(random, reference.ids, clock)[method])
      }
    } catch (cause) {
      const lastCalls = callLog.slice(-20).join('\n')
      throw new Error(
        `the last of these calls returned a different result than createMemoryStore:\n${lastCalls}`,
        { cause },
      )
    }
  }
}

/** Asserts that a result has the expected members. Other members are ignored. */
export function assertReturned(returned: unknown, expected: unknown): void {
  const [actual, wanted] = [formatValue(pickMembers(returned)), formatValue(pickMembers(expected))]
  // `assert.deepEqual` may take minutes to compare two long names.
  if (actual !== wanted) assert.fail(`${actual} is not ${wanted}`)
}

/** Formats a value as JSON, including bigints. */
function formatValue(value: unknown): string | undefined {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part))
}

const memberNames = ['id', 'name', 'categoryId', 'status', 'outcome', 'json', 'next']
function pickMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pickMembers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(memberNames.map((name) => [name, Reflect.get(value, name)]))
}

/** When the first idempotency key is used, in milliseconds since the epoch. */
export const firstUseTime: number = Date.UTC(2026, 10, 20, 12)

/**
 * Creates an idempotency key for a test. The strings are hashed. The key expires after `ttlMs`, 24 hours by default.
 */
export function createTestKey(
  token: string,
  fingerprint = 'f',
  now: number = firstUseTime,
  ttlMs: number = 24 * hourMs,
): CreationKey {
  return { token: sha256(token), fingerprint: sha256(fingerprint), now, expiresAt: now + ttlMs }
}
