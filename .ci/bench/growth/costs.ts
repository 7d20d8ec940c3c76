import type { KeyStore, NewPet, PetStore } from '../../../dist/core/index.js'
import { makePet } from '../world.ts'

/** What each operation costs, in microseconds, and an animal in bytes; without what a storage does not have. */
export type Costs = Partial<
  Record<'import' | 'bytes' | 'list' | 'filtered' | 'deep' | 'create' | 'key' | 'limit', number>
>

/** Yields the animals of the benchmark one by one, so that none but the store holds them. */
export function* newPets(count: number): Generator<NewPet> {
  for (let i = 0; i < count; i++) yield newPet(i)
}

/** Its name is a flat string, as in a parsed body, and not a tree of the strings that it was made of. */
function newPet(i: number): NewPet {
  const { name, categoryId, status } = makePet(i)
  return { name: JSON.parse(JSON.stringify(name)), categoryId: BigInt(categoryId), status }
}

/**
 * Measures the requests for animals that a store has.
 *
 * @param together How many creations are under way at a time, which share what the storage lets them share.
 */
export async function costsOfRequests(store: PetStore, size: number, together: number): Promise<Costs> {
  const limit = 20
  const anywhere = stepsBelow(size / 2)
  return {
    list: await microsOf(repeated(() => store.list({ limit }))),
    filtered: await microsOf(
      repeated(() => store.list({ limit, status: 'sold', after: BigInt(anywhere()) })),
    ),
    deep: await microsOf(repeated(() => store.list({ limit, after: BigInt(size / 2 - limit + anywhere()) }))),
    create: await microsOf(async (times) => {
      for (let i = 0; i < times; i += together)
        await Promise.all(Array.from({ length: together }, () => store.create(newPet(i))))
    }, together),
  }
}

/** Measures the lookup of keys that the store does not have: no cache shortens it. */
export function costOfLookup(keys: KeyStore): Promise<number> {
  const next = stepsBelow(2 ** 31)
  return microsOf(repeated(() => keys.find(`unknown-key-${next()}`)))
}

/** Runs an operation so many times. */
type Batch = (times: number) => unknown

/** Runs a function one time after the other. One that returns at once costs no promise. */
export function repeated(run: () => unknown): Batch {
  return async (times) => {
    for (let i = 0; i < times; i++) {
      const result = run()
      if (result instanceof Promise) await result
    }
  }
}

/** A batch is about as short as what the clock and a system call cost allow, so that some are not interrupted. */
const shortestMs = 2
const leastBatches = 15
const totalMs = 500

/**
 * Returns the microseconds of one run of an operation: those of the fastest batch. A cost that grows with the size shows in
 * every batch, and a disturbance of the machine does not.
 *
 * @param most The most runs of a batch, for an operation that changes what it measures; it has 15 batches.
 */
export async function microsOf(batch: Batch, most?: number): Promise<number> {
  let times = most ?? 8
  while (most === undefined && (await msOf(batch, times)) < shortestMs) times *= 2
  let fastest = Number.POSITIVE_INFINITY
  const end = performance.now() + totalMs
  for (let i = 0; i < leastBatches || (most === undefined && performance.now() < end); i++)
    fastest = Math.min(fastest, await msOf(batch, times))
  return (fastest * 1000) / times
}

async function msOf(batch: Batch, times: number): Promise<number> {
  const begin = performance.now()
  await batch(times)
  return performance.now() - begin
}

/** Returns a function that steps through the numbers below `count` in an order that defeats caches. */
export function stepsBelow(count: number): () => number {
  let at = 0
  return () => {
    at = (at + 7_368_787) % count
    return at
  }
}
