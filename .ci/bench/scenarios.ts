import { makePets, newPet, type Pet, petCount } from './world.ts'

export interface Request {
  readonly method: 'GET' | 'POST'
  readonly target: string
  readonly body?: string
}

/** One row of the tables. */
export interface Scenario {
  readonly title: string
  readonly request: Request
  readonly expected: { readonly status: 200 | 201; readonly body: Pet | readonly Pet[] }
}

export const rowIds = ['list20', 'list100', 'getPet', 'createPet'] as const

export type RowId = (typeof rowIds)[number]

const all = makePets()
const available = all.filter(({ status }) => status === 'available')
const samplePet = all[500] as Pet // in the middle of the data
const createGet = (target: string): Request => ({ method: 'GET', target })

export const scenarios: Readonly<Record<RowId, Scenario>> = {
  list20: {
    title: 'list of 20',
    request: createGet('/v1/pets'),
    expected: { status: 200, body: all.slice(0, 20) },
  },
  list100: {
    title: 'list of 100 by status',
    request: createGet('/v1/pets?limit=100&status=available'),
    expected: { status: 200, body: available.slice(0, 100) },
  },
  getPet: {
    title: 'getPet',
    request: createGet(`/v1/pets/${samplePet.id}`),
    expected: { status: 200, body: samplePet },
  },
  createPet: {
    title: 'createPet',
    request: { method: 'POST', target: '/v1/pets', body: JSON.stringify(newPet) },
    expected: { status: 201, body: { id: petCount + 1, ...newPet } },
  },
}
