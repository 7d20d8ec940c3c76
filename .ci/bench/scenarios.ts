import { animals, makePets, newPet, type Pet, type Status, statuses } from './world.ts'

export interface Request {
  readonly method: 'GET' | 'POST'
  readonly target: string
  readonly body?: string
}

/** A row of the tables: requests that are repeated in turn. */
export interface Scenario {
  readonly title: string
  readonly requests: readonly Request[]
  /** The response of every side to the first request; where it is not there, only the status counts. */
  readonly expected?: { readonly status: 200 | 201; readonly body: Pet | readonly Pet[] }
}

export const rowIds = ['list20', 'list100', 'getPet', 'createPet', 'mix'] as const

export type RowId = (typeof rowIds)[number]

const all = makePets()
const available = all.filter(({ status }) => status === 'available')
const one = all[500] as Pet // there are a thousand
const creation: Request = { method: 'POST', target: '/v1/pets', body: JSON.stringify(newPet) }
const get = (target: string): Request => ({ method: 'GET', target })

export const scenarios: Readonly<Record<RowId, Scenario>> = {
  list20: {
    title: 'list of 20',
    requests: [get('/v1/pets')],
    expected: { status: 200, body: all.slice(0, 20) },
  },
  list100: {
    title: 'list of 100 by status',
    requests: [get('/v1/pets?limit=100&status=available')],
    expected: { status: 200, body: available.slice(0, 100) },
  },
  getPet: {
    title: 'getPet',
    requests: [get(`/v1/pets/${one.id}`)],
    expected: { status: 200, body: one },
  },
  createPet: {
    title: 'createPet',
    requests: [creation],
    expected: { status: 201, body: { id: animals + 1, ...newPet } },
  },
  mix: { title: 'mix: 70 % pages, 27 % animals, 3 % creations', requests: makeMix(5_000) },
}

/** Every request that a scenario sends, once. */
export const distinctRequests: readonly Request[] = [
  ...new Map(
    Object.values(scenarios).flatMap(({ requests }) =>
      requests.map((request) => [`${request.method} ${request.target}`, request] as const),
    ),
  ).values(),
]

/**
 * Returns the same requests in every run. The page of rank r is requested 1/r times as often as the first of 96, and the
 * animals likewise (Zipf's law): no cache of a few pages holds them all.
 */
function makeMix(length: number): Request[] {
  const random = createRandom(1)
  const pages = Array.from({ length: 8 }, (_, depth) =>
    [20, 100, 10].flatMap((limit) =>
      [undefined, ...statuses].map((status) => pageTarget(limit, status, depth)),
    ),
  ).flat()
  const page = createZipf(pages.length, random)
  const animal = createZipf(animals, random)
  return Array.from({ length }, () => {
    const kind = random() * 100
    if (kind < 70) return get(pages[page()] ?? '')
    if (kind < 73) return creation
    return get(`/v1/pets/${((animal() * 389) % animals) + 1}`) // spreads the popular ones over the pages
  })
}

function pageTarget(limit: number, status: Status | undefined, depth: number): string {
  const query = new URLSearchParams({
    limit: String(limit),
    ...(status && { status }),
    ...(depth > 0 && { after: String(depth * limit * (status ? statuses.length : 1)) }),
  })
  return `/v1/pets?${query}`
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
