import { animals, makePets, newPet, type Pet } from './world.ts'

export interface Request {
  readonly method: 'GET' | 'POST'
  readonly target: string
  readonly body?: string
}

/** A row of the tables: a request that is repeated. */
export interface Scenario {
  readonly title: string
  readonly request: Request
  /** The response of every side. */
  readonly expected: { readonly status: 200 | 201; readonly body: Pet | readonly Pet[] }
}

export const rowIds = ['list20', 'list100', 'getPet', 'createPet'] as const

export type RowId = (typeof rowIds)[number]

const all = makePets()
const available = all.filter(({ status }) => status === 'available')
const one = all[500] as Pet // there are a thousand
const get = (target: string): Request => ({ method: 'GET', target })

export const scenarios: Readonly<Record<RowId, Scenario>> = {
  list20: {
    title: 'list of 20',
    request: get('/v1/pets'),
    expected: { status: 200, body: all.slice(0, 20) },
  },
  list100: {
    title: 'list of 100 by status',
    request: get('/v1/pets?limit=100&status=available'),
    expected: { status: 200, body: available.slice(0, 100) },
  },
  getPet: {
    title: 'getPet',
    request: get(`/v1/pets/${one.id}`),
    expected: { status: 200, body: one },
  },
  createPet: {
    title: 'createPet',
    request: { method: 'POST', target: '/v1/pets', body: JSON.stringify(newPet) },
    expected: { status: 201, body: { id: animals + 1, ...newPet } },
  },
}
