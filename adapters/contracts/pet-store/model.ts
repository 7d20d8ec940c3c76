import assert from 'node:assert/strict'
import {
  type CreationKey,
  type NewPet,
  type PetChanges,
  type PetQuery,
  petStatuses,
} from '../../../core/index.ts'
import { createRandom, type Random } from '../random.ts'
import { assertReturned, type FullStore, keyOf, type StoreCase, textOf } from './cases.ts'
import { createReference, type Reference } from './reference.ts'

const hourMs = 3_600_000
const int64Min = -(2n ** 63n)
const int64Max = 2n ** 63n - 1n
const statuses = [undefined, ...petStatuses] as const
const categories = [0n, 1n, -1n, 2n ** 31n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, int64Max, int64Min] as const

/** Names that some stores change, cut off or reject. All are well-formed Unicode without U+0000. */
const names = [
  '',
  '  Rex  ',
  '007',
  'null',
  'REX rex',
  `"Rex" 'O\\'Neill' \\\\ \\u0041 \\x41`,
  "Robert'); DROP TABLE pets;-- %s $1 {} %_ ? :name @name",
  Array.from({ length: 0xff }, (_, i) => String.fromCharCode(i + 1)).join(''),
  '\ufeffRex\ufeff \ufffd \ufffe\uffff\u{10ffff} \u2028\u2029',
  '🐕‍🦺𝕽𝖊𝖝𠮷 🏴󠁧󠁢󠁳󠁣󠁴󠁿👍🏽 رِكْس \u202ekcab\u202c שלום R\u200be\u200dx\u00ad',
  `Zoë Å Zoe\u0308 A\u030a Z${'\u0301\u0316'.repeat(50)}`, // composed and decomposed
] as const
const longNames = ['Rex '.repeat(15_000), '🐕'.repeat(15_000)]

/** Returns the arguments of a random call of each method. */
const argumentsOf: {
  readonly [Method in keyof FullStore]: (
    random: Random,
    reference: Reference,
  ) => Parameters<FullStore[Method]>
} = {
  create: (random) => [randomPet(random)],
  createOnce: (random, reference) => [randomPet(random), randomKey(random, reference)],
  findCreated: (random, reference) => [randomKey(random, reference)],
  update: (random, reference) => [randomId(random, reference), randomChanges(random)],
  remove: (random, reference) => [randomId(random, reference)],
  get: (random, reference) => [randomId(random, reference)],
  list: (random, reference) => [randomQuery(random, reference)],
  page: (random, reference) => [randomQuery(random, reference)],
}

/** Compares a store with the one in memory over random calls. */
export const modelCases: readonly StoreCase[] = [
  {
    name: 'agrees with the store in memory over random calls of every method that it has',
    run: ({ store }) => compare(store, createReference(), createRandom(0), 1_000),
  },
  {
    name: 'agrees with the store in memory over random calls before it is opened again and after it',
    needs: ['reopenStore'],
    async run({ store, reopen }) {
      const [reference, random] = [createReference(), createRandom(1)]
      await compare(store, reference, random, 500)
      await compare(await reopen(), reference, random, 500)
    },
  },
]

async function compare(store: FullStore, reference: Reference, random: Random, calls: number): Promise<void> {
  const own = Object.keys(argumentsOf) as (keyof FullStore)[] // its keys
  // Creations outnumber removals, so that a list of more than a hundred comes about.
  const methods = [...own, ...(['create', 'create', 'create', 'update'] as const)].filter(
    (method) => store[method],
  )
  const called: string[] = []
  async function call(method: keyof FullStore, values: readonly unknown[]): Promise<void> {
    called.push(`${method}(${textOf(values)?.slice(1, -1).slice(0, 1_000)})`)
    const callOf = (one: FullStore) => (one[method] as (...values: readonly unknown[]) => unknown)(...values) // those of argumentsOf
    const returned = await callOf(store)
    reference.adopt(Object(returned).id)
    assertReturned(returned, callOf(reference.store))
    if (method === 'page' && Object(returned).bytes !== undefined)
      assert.equal(Object(returned).bytes, new TextEncoder().encode(Object(returned).json).length)
  }
  try {
    for (const name of longNames) await call('create', [{ name, categoryId: 1n }])
    for (let i = 0; i < calls; i++) {
      const method = random.pick(methods)
      await call(method, argumentsOf[method](random, reference))
    }
  } catch (cause) {
    const last = called.slice(-20).join('\n')
    throw new Error(`a call differs from the store in memory, the last of these:\n${last}`, { cause })
  }
}

export function randomPet(random: Random): NewPet {
  const status = random.pick(statuses)
  return { name: random.pick(names), categoryId: random.pick(categories), ...(status && { status }) }
}

function randomChanges(random: Random): PetChanges {
  const { name, categoryId } = randomPet(random)
  const status = random.pick([null, ...petStatuses])
  return random.pick([
    {},
    { name },
    { categoryId },
    { status },
    { name, status },
    { name, categoryId, status },
  ])
}

/** Often one of the first pages, which a store may cache. */
function randomQuery(random: Random, reference: Reference): PetQuery {
  const status = random.pick(statuses)
  const after = random.pick([undefined, undefined, randomId(random, reference), oddId(random, reference)])
  return {
    limit: random.pick([1, 2, 3, 20, 101]),
    ...(status && { status }),
    ...(after !== undefined && { after }),
  }
}

/** Returns an id that an animal has or has had, often the newest, and at times one that none ever has. */
function randomId(random: Random, reference: Reference): bigint {
  const newest = reference.ids.at(-1) ?? 0n
  const some = random.pick([newest, ...reference.ids])
  return random.pick([newest, newest, some, some, some, oddId(random, reference)])
}

function oddId(random: Random, { ids }: Reference): bigint {
  const some = random.pick([0n, ...ids])
  return random.pick([-some, -some, some + 2n ** 53n, BigInt(ids.length) + 1n, -1n, int64Max, int64Min])
}

/** Returns one of a few keys, at times an hour after the last one, so that keys are used again and expire. */
function randomKey(random: Random, reference: Reference): CreationKey {
  reference.now += random.pick([0, 0, hourMs])
  const [token, print] = [random.pick(['a', 'b', 'c', 'd']), random.pick(['f', 'f', 'f', 'g'])]
  return keyOf(token, print, reference.now, random.pick([2, 10, 50]) * hourMs)
}
