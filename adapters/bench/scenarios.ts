import { type Animal, animals, newcomer } from './world.ts'

export const scenarioIds = ['list20', 'list100', 'getPet', 'createPet'] as const

export type ScenarioId = (typeof scenarioIds)[number]

/** A request, sent over and over, and what each side must answer. */
export interface Scenario {
  readonly title: string
  readonly method: 'GET' | 'POST'
  readonly target: string
  readonly sent?: string
  readonly status: 200 | 201
  readonly answer: Animal | readonly Animal[]
  /** What is on the answer beside its type, its length and the rate limit: names and values in turn. */
  readonly headers: readonly string[]
}

/** The headers of a page that is not the last one. */
export function nextPage(limit: number, filter: string, last: number): string {
  return `</v1/pets?limit=${limit}${filter}&after=${last}>; rel="next"`
}

/** The headers of getPet. */
export const deprecation: readonly string[] = [
  'Deprecation',
  '@1795132800',
  'Sunset',
  'Thu, 05 Dec 2030 00:00:00 GMT',
  'Link',
  '</v1/pets>; rel="successor-version"',
]

const all = animals()
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
    answer: first20,
    headers: ['Link', nextPage(20, '', 20)],
  },
  list100: {
    title: 'list of 100 by status',
    method: 'GET',
    target: '/v1/pets?limit=100&status=available',
    status: 200,
    answer: available,
    headers: ['Link', nextPage(100, '&status=available', available.at(-1)?.id ?? 0)],
  },
  getPet: {
    title: 'getPet',
    method: 'GET',
    target: `/v1/pets/${one.id}`,
    status: 200,
    answer: one,
    headers: deprecation,
  },
  createPet: {
    title: 'createPet',
    method: 'POST',
    target: '/v1/pets',
    sent: JSON.stringify(newcomer),
    status: 201,
    answer: { id: all.length + 1, ...newcomer },
    headers: [],
  },
}
