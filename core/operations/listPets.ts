import { ApiError } from '../http/errors.ts'
import { checkPage, toPage } from '../pets/page.ts'
import { toExactNumber } from '../pets/pet.ts'
import { pageLimit, readPetQuery } from '../pets/query.ts'
import { int64Note, int64Schema, type Operation } from './operation.ts'

export const listPets: Operation<'listPets', ['list']> = {
  id: 'listPets',
  method: 'GET',
  path: '/pets',
  requires: ['list'],
  summary: 'List animals, optionally by status',
  description: 'Lists animals by ascending id.',
  parameters: [
    {
      name: 'limit',
      in: 'query',
      description: 'Maximum number of animals to return',
      schema: { type: 'integer', ...pageLimit },
      example: 20,
    },
    {
      name: 'status',
      in: 'query',
      description: 'Filter by availability status',
      schema: { $ref: '#/components/schemas/PetStatus' },
      example: 'available',
    },
    {
      name: 'after',
      in: 'query',
      description: `Returns only animals with a greater id. ${int64Note}`,
      schema: int64Schema,
      example: 20,
    },
  ],
  success: {
    status: 200,
    description: 'A page of animals',
    schema: 'Pets',
    headers: [
      {
        name: 'Link',
        description: 'Link to the next page, if there is one (RFC 8288)',
        example: '<{basePath}/pets?limit=20&after=20>; rel="next"',
      },
    ],
  },
  errors: ['invalid_parameter'],

  createHandler({ store, basePath }) {
    return async ({ query }) => {
      const petQuery = readPetQuery(query)
      if (petQuery instanceof ApiError) return petQuery
      const { limit, status } = petQuery
      const page = store.page
        ? checkPage(await store.page(petQuery))
        : toPage(await store.list({ ...petQuery, limit: limit + 1 }), limit)
      const filter = status ? `&status=${status}` : ''
      const nextLink =
        page.next === undefined
          ? undefined
          : `${basePath}/pets?limit=${limit}${filter}&after=${toExactNumber(page.next)}`
      const rawHeaders = nextLink ? ['Link', `<${nextLink}>; rel="next"`] : [] // RFC 8288
      return { status: 200, body: page.json, bodyBytes: page.bytes, rawHeaders }
    }
  },
}
