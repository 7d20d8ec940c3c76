import { newPet, type Status, statuses } from './world.ts'

/** A request of the mix. */
export interface MixedRequest {
  readonly method: 'GET' | 'POST'
  readonly target: string
  readonly requestBody?: string
}

/** The path of a change, which is no route of the interface: an animal gets the next status. */
export const changePath = '/change/'

/** How many animals there are at first. */
const animals = 1_000
/** How often each kind occurs among a hundred requests. The others are getPet. */
const shares = { list: 70, create: 2, change: 1 } as const

/** The pages by popularity: shallow ones before deep ones, short ones before long ones, all animals before one status. */
const pages: readonly string[] = Array.from({ length: 8 }, (_, depth) =>
  [20, 100, 10].flatMap((limit) =>
    [undefined, ...statuses].map((status) => pageTarget(limit, status, depth)),
  ),
).flat()

function pageTarget(limit: number, status: Status | undefined, depth: number): string {
  const query = new URLSearchParams({
    ...(limit !== 20 && { limit: String(limit) }),
    ...(status && { status }),
  })
  if (depth > 0) query.set('after', String(depth * limit * (status ? statuses.length : 1)))
  return query.size > 0 ? `/v1/pets?${query}` : '/v1/pets'
}

/**
 * The mix: 70 % listPets, 27 % getPet, 2 % createPet and 1 % changes. The page of rank r is requested 1/r times as often as
 * the first of 96, and the animals likewise (Zipf's law). The same sequence in every run; it repeats itself.
 */
export const mix: readonly MixedRequest[] = makeMix(5_000)

function makeMix(length: number): MixedRequest[] {
  const random = createRandom(1)
  const page = createZipf(pages.length, random)
  const animal = createZipf(animals, random)
  /** Popular animals are spread over the pages: 389 and 1,000 have no common divisor. */
  const id = () => ((animal() * 389) % animals) + 1
  const requestBody = JSON.stringify(newPet)
  return Array.from({ length }, (): MixedRequest => {
    const kind = random() * 100
    if (kind < shares.list) return { method: 'GET', target: pages[page()] ?? '' }
    if (kind < shares.list + shares.create) return { method: 'POST', target: '/v1/pets', requestBody }
    if (kind < shares.list + shares.create + shares.change)
      return { method: 'POST', target: `${changePath}${id()}`, requestBody: '{}' }
    return { method: 'GET', target: `/v1/pets/${id()}` }
  })
}

/** Returns the status after another. */
export function nextStatus(status: Status | undefined): Status {
  return statuses[(statuses.indexOf(status ?? 'sold') + 1) % statuses.length] ?? 'available'
}

/** Returns a function that draws ranks below `count`, from 0, by Zipf's law with the exponent 1. */
function createZipf(count: number, random: () => number): () => number {
  const weights = Array.from({ length: count }, (_, rank) => 1 / (rank + 1))
  const total = weights.reduce((sum, weight) => sum + weight)
  return () => {
    let left = random() * total
    const rank = weights.findIndex((weight) => {
      left -= weight
      return left < 0
    })
    return rank < 0 ? count - 1 : rank
  }
}

/** Returns a generator of numbers from 0 to 1 (mulberry32), which a seed determines. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}
