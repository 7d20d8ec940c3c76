import { makePets, newPet, type Pet } from './world.ts'

export const scenarioIds = ['list20', 'list100', 'getPet', 'createPet'] as const

export type ScenarioId = (typeof scenarioIds)[number]

/** The rows of the comparison with other frameworks: the scenarios, and requests of all kinds (`mix.ts`). */
export const rowIds = [...scenarioIds, 'mix'] as const

export type RowId = (typeof rowIds)[number]

/** A repeated request and the response that each side must return. */
export interface Scenario {
  readonly title: string
  readonly method: 'GET' | 'POST'
  readonly target: string
  readonly requestBody?: string
  readonly status: 200 | 201
  readonly responseBody: Pet | readonly Pet[]
  /** The response headers that other operations do not have: alternating names and values. */
  readonly responseHeaders: readonly string[]
}

/** Returns the value of `Link` for a page that is not the last one. */
export function nextPage(limit: number, filter: string, last: number): string {
  return `</v1/pets?limit=${limit}${filter}&after=${last}>; rel="next"`
}

/** The response headers of getPet: alternating names and values. */
export const deprecation: readonly string[] = [
  'Deprecation',
  '@1795132800',
  'Sunset',
  'Thu, 05 Dec 2030 00:00:00 GMT',
  'Link',
  '</v1/pets>; rel="successor-version"',
]

const all = makePets()
const first20 = all.slice(0, 20)
const available = all.filter(({ status }) => status === 'available').slice(0, 100)
const [one] = all.slice(500)
if (!one) throw new Error('the world has too few animals')

export const scenarios: Readonly<Record<ScenarioId, Scenario>> = {
  list20: {
    title: 'list of 20',
    method: 'GET',
    target: '/v1/pets',
    status: 200,
    responseBody: first20,
    responseHeaders: ['Link', nextPage(20, '', 20)],
  },
  list100: {
    title: 'list of 100 by status',
    method: 'GET',
    target: '/v1/pets?limit=100&status=available',
    status: 200,
    responseBody: available,
    responseHeaders: ['Link', nextPage(100, '&status=available', available.at(-1)?.id ?? 0)],
  },
  getPet: {
    title: 'getPet',
    method: 'GET',
    target: `/v1/pets/${one.id}`,
    status: 200,
    responseBody: one,
    responseHeaders: deprecation,
  },
  createPet: {
    title: 'createPet',
    method: 'POST',
    target: '/v1/pets',
    requestBody: JSON.stringify(newPet),
    status: 201,
    responseBody: { id: all.length + 1, ...newPet },
    responseHeaders: [],
  },
}

/** The titles of the rows. */
export const titles: Readonly<Record<RowId, string>> = {
  list20: scenarios.list20.title,
  list100: scenarios.list100.title,
  getPet: scenarios.getPet.title,
  createPet: scenarios.createPet.title,
  mix: 'mix of pages, animals and changes',
}
