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
const categories = [0n, 1n, -1n, 2n ** 31n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, int64Max, int64Min] as const

/** Names that some stores change, cut off or reject. All are well-formed Unicode without U+0000. */
const names = [
  '',
  '  REX rex  ',
  '007',
  `"Rex" 'O\\'Neill' \\\\ \\u0041 \\x41`,
  "Robert'); DROP TABLE pets;-- %s $1 {} %_ ? :name @name",
  Array.from({ length: 0xff }, (_, i) => String.fromCharCode(i + 1)).join(''),
  '\ufeffRex\ufeff \ufffd \ufffe\uffff\u{10ffff} \u2028\u2029',
  '🐕‍🦺𝕽𝖊𝖝𠮷 🏴󠁧󠁢󠁳󠁣󠁴󠁿👍🏽 رِكْس \u202ekcab\u202c שלום R\u200be\u200dx\u00ad',
  `Zoë Å Zoe\u0308 A\u030a Z${'\u0301\u0316'.repeat(50)}`, // composed and decomposed
] as const
const longNames = ['Rex '.repeat(15_000), '🐕'.repeat(15_000)]

export function randomPet(random: Random): NewPet {
  const status = random.pick([{}, ...petStatuses.map((status) => ({ status }))])
  return { name: random.pick(names), categoryId: random.pick(categories), ...status }
}

/** Returns the arguments of a random call of each method. Time passes only if `clock` is true. */
function randomArguments(
  random: Random,
  ids: readonly bigint[],
  clock: boolean,
): { readonly [Method in keyof MemoryStore]: Parameters<MemoryStore[Method]> } {
  const maybe = <Members extends object>(members: Members) => random.pick([{}, members])
  const [pet, { name, categoryId }] = [randomPet(random), randomPet(random)]
  const status = random.pick(petStatuses)
  // An animal that there is or was, often the newest, and at times one that never was.
  const newest = ids.at(-1) ?? 0n
  const some = random.pick([newest, ...ids])
  const odd = random.pick([-some, -some, some + 2n ** 53n, BigInt(ids.length) + 1n, -1n, int64Max, int64Min])
  const id = random.pick([newest, newest, some, some, some, odd])
  // Often one of the first pages, which a store may cache.
  const query = { limit: random.pick([1, 2, 3, 20, 101]), ...maybe({ status }), ...maybe({ after: id }) }
  const newStatus = random.pick([null, status])
  const changes = { ...maybe({ name }), ...maybe({ categoryId }), ...maybe({ status: newStatus }) }
  // One of a few keys. Each animal takes twenty minutes, so that keys are used again and expire.
  const [token, fingerprint] = [random.pick(['a', 'b', 'c', 'd']), random.pick(['f', 'f', 'f', 'g'])]
  const now = clock ? firstUse + (ids.length * hourMs) / 3 : firstUse
  const key = createTestKey(token, fingerprint, now, random.pick([2, 10, 50]) * hourMs)
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

/** Creates a store in memory that has the ids of another store. `adopt` sets the id of its next creation. */
function createReference() {
  const memory = createMemoryStore() // assigns 1, 2, 3 and so on
  /** All ids that were assigned, in the order of the creations. */
  const ids: bigint[] = []
  let newId = 0n

  /** Returns the id in memory; 0, which nothing has, for one that was not assigned. */
  const inMemory = (id: bigint) => BigInt(ids.indexOf(id) + 1)

  /** Returns a result with the id of the other store in the place of that in memory. */
  function shown<Result>(result: Result): Result {
    const place = Number(Object(result).id) - 1
    if (Number.isNaN(place)) return result
    if (place === ids.length) {
      assert.ok(newId >= 1n && newId <= 2n ** 53n - 1n, `id ${newId} is not from 1 to 2^53 - 1`)
      assert.ok(!ids.includes(newId), `id ${newId} was used before`)
      ids.push(newId)
    }
    return { ...result, id: ids[place] }
  }

  /** Returns all animals that match. A store may assign ids in any order. */
  function matching({ status, after = 0n }: PetQuery): Pet[] {
    const pets = memory.list({ limit: Number.POSITIVE_INFINITY, ...(status && { status }) }).map(shown)
    return pets.filter(({ id }) => id > after).sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  const store: MemoryStore = {
    create: (pet) => shown(memory.create(pet)),
    createOnce: (pet, key) => shown(memory.createOnce(pet, key)),
    findCreated: (key) => shown(memory.findCreated(key)),
    update: (id, changes) => shown(memory.update(inMemory(id), changes)),
    remove: (id) => memory.remove(inMemory(id)),
    get: (id) => shown(memory.get(inMemory(id))),
    list: (query) => matching(query).slice(0, query.limit),
    page(query) {
      const pets = matching(query)
      const json = `[${pets.slice(0, query.limit).map(petToJson).join()}]`
      return { json, next: pets[query.limit] && pets[query.limit - 1]?.id }
    },
  }
  return { store, ids, adopt: (id: bigint) => (newId = id) }
}

/** Returns a function that compares a store with the one in memory over random calls of every method that it has. */
export function createComparison(
  seed: number,
  clock: boolean,
): (store: PetStore, calls: number) => Promise<void> {
  const [reference, random] = [createReference(), createRandom(seed)]
  const called: string[] = []
  async function compare(store: PetStore, method: keyof PetStore, values: readonly unknown[]): Promise<void> {
    called.push(`${method}(${formatValue(values)?.slice(1, -1).slice(0, 1_000)})`)
    const callMethod = (one: PetStore) =>
      (one[method] as (...values: readonly unknown[]) => unknown)(...values) // its own
    const returned = await callMethod(store)
    reference.adopt(Object(returned).id)
    assertReturned(returned, callMethod(reference.store))
    const { json, bytes } = Object(returned)
    if (bytes !== undefined) assert.equal(bytes, new TextEncoder().encode(json).length)
  }
  return async (store, calls) => {
    const own = (Object.keys(reference.store) as (keyof PetStore)[]).filter((method) => store[method]) // its keys
    try {
      for (const name of longNames) await compare(store, 'create', [{ name, categoryId: 1n }])
      for (let i = 0; i < calls; i++) {
        // Creations outnumber removals, so that the list grows past 100 animals.
        const method = random.pick([...own, 'create', 'create', 'create'] as const)
        await compare(store, method, randomArguments(random, reference.ids, clock)[method])
      }
    } catch (cause) {
      const last = called.slice(-20).join('\n')
      throw new Error(`a call differs from the store in memory, the last of these:\n${last}`, { cause })
    }
  }
}

/** Asserts that a method has returned the expected value. Members outside the interface are ignored. */
export function assertReturned(returned: unknown, expected: unknown): void {
  const [actual, wanted] = [formatValue(members(returned)), formatValue(members(expected))]
  // Not by assert.deepEqual, which may take minutes to show how two long texts differ.
  if (actual !== wanted) assert.fail(`${actual} is not ${wanted}`)
}

/** Returns the JSON of a value, with `n` after the digits of a bigint. */
function formatValue(value: unknown): string | undefined {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part))
}

const memberNames = ['id', 'name', 'categoryId', 'status', 'outcome', 'json', 'next']
function members(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(members)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(memberNames.map((name) => [name, Reflect.get(value, name)]))
}

/** Time of the first use of a key in each case, in milliseconds since the epoch. */
export const firstUse: number = Date.UTC(2026, 10, 20, 12)

/** Returns a key, which is valid for a day by default. The letters are the inputs of the hashes. */
export function createTestKey(
  token: string,
  fingerprint = 'f',
  now: number = firstUse,
  forMs: number = 24 * hourMs,
): CreationKey {
  return { token: sha256(token), fingerprint: sha256(fingerprint), now, expiresAt: now + forMs }
}
