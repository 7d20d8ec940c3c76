import type { NewPet, PetStore } from '../../../dist/core/index.js'
import { makePet } from '../world.ts'
import type { GrowthOperationId } from './operations.ts'
import { microsOf, stepsBelow } from './stopwatch.ts'

const limit = 20

export type Costs = Partial<Record<GrowthOperationId, number>>

/** Yields the animals of the benchmark one by one, so that none but the store holds them. */
export function* newPets(count: number): Generator<NewPet> {
  for (let i = 0; i < count; i++) yield newPet(i)
}

/** Its name is a flat string, as in a parsed body, and not a tree of the strings that it was made of. */
export function newPet(i: number): NewPet {
  const { name, categoryId, status } = makePet(i)
  return { name: JSON.parse(JSON.stringify(name)), categoryId: BigInt(categoryId), status }
}

/**
 * Measures the requests for animals that a store has.
 *
 * @param together How many creations are under way at a time, which share what the storage lets them share.
 */
export async function costsOfRequests(store: PetStore, size: number, together: number): Promise<Costs> {
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

/** Runs a function one time after the other. One that returns at once costs no promise. */
export function repeated(run: () => unknown): (times: number) => Promise<void> {
  return async (times) => {
    for (let i = 0; i < times; i++) {
      const result = run()
      if (result instanceof Promise) await result
    }
  }
}
