import {
  allOf,
  editItems,
  editPages,
  editRequest,
  editResponseWith,
  isList,
  queryIs,
  replaceResponse,
  setHeaders,
  type When,
} from '../change.ts'
import type { Change } from '../deployment.ts'
import { withJson, withList, without, withQuery } from '../edit.ts'
import { errorResponse } from '../exchange.ts'
import type { Json, JsonObject } from '../json.ts'
import { type Broken, brokenBy } from '../variant.ts'

const hasNoQuery: When = (request) => isList(request) && Object.keys(request.query).length === 0
const isUnfiltered = allOf(isList, (request) => request.query.status === undefined)
/** Changes one animal of every unfiltered list. */
const oneAnimal = (edit: (pet: JsonObject) => Json): Change =>
  editItems([200], isUnfiltered, (pet, n) => (n === 4 ? edit(pet) : pet))

/** Array elements that are not a Pet. */
const invalidPets: readonly (readonly [does: string, edit: (pet: JsonObject) => Json])[] = [
  ['lists an animal without an id', (pet) => without(pet, 'id')],
  ['lists an animal without a name', (pet) => without(pet, 'name')],
  ['lists an animal without a category', (pet) => without(pet, 'categoryId')],
  ['lists an id that is a string', (pet) => ({ ...pet, id: String(pet.id) })],
  ['lists a name that is a number', (pet) => ({ ...pet, name: 7n })],
  ['lists a null category', (pet) => ({ ...pet, categoryId: null })],
  ['lists a category beyond int64', (pet) => ({ ...pet, categoryId: 2n ** 63n })],
  ['lists a category with a fraction', (pet) => ({ ...pet, categoryId: 1.5 })],
  ['lists null in place of an animal', () => null],
  ['lists a number in place of an animal', (pet) => pet.id ?? null],
]

const invalidStatuses: readonly (readonly [does: string, status: Json])[] = [
  ['lists an animal with an undeclared status', 'lost'],
  ['lists a null status', null],
  ['lists a status in capitals', 'SOLD'],
  ['lists a status that is an array', ['sold']],
]

/** Variants that break sections 2 and 4.1, except for the filter. */
export const brokenLists: readonly Broken[] = [
  ...brokenBy({
    'LIST-1': {
      'responds to listPets with 206': editResponseWith([200], hasNoQuery, (response) => ({
        ...response,
        status: 206,
      })),
      'fails with 500 on listPets': {
        alsoBreaks: ['ERR-6'],
        ...replaceResponse([200], hasNoQuery, errorResponse(500)),
      },
    },
    'LIST-2': {
      'labels lists as HTML': setHeaders([200], isList, { 'content-type': 'text/html' }),
      'labels lists as text/json': setHeaders([200], isList, { 'content-type': 'text/json' }),
    },
    'LIST-3': {
      'wraps its lists in an object': editResponseWith([200], isUnfiltered, (response) =>
        withJson(response, (data) => ({ data })),
      ),
    },
    'LIST-6': {
      'has a default limit of 25': {
        alsoBreaks: ['LIST-7'],
        ...editRequest(hasNoQuery, (request) => withQuery(request, { limit: '25' })),
      },
    },
    'LIST-7': {
      'has a default limit of 10': editRequest(hasNoQuery, (request) => withQuery(request, { limit: '10' })),
    },
    'LIST-8': {
      'returns two animals for limit=1': {
        profile: 'read',
        ...editRequest(allOf(isUnfiltered, queryIs('limit', '1')), (request) =>
          withQuery(request, { limit: '2' }),
        ),
      },
      'rejects limit=1': {
        profile: 'read',
        ...editRequest(allOf(isUnfiltered, queryIs('limit', '1')), (request) =>
          withQuery(request, { limit: '0' }),
        ),
      },
    },
    'LIST-9': {
      'returns 101 animals for limit=100': editPages(allOf(isUnfiltered, queryIs('limit', '100')), (pets) => [
        ...pets,
        { id: 88_888n, name: 'One more', categoryId: 1n },
      ]),
      'rejects limit=100': editRequest(allOf(isList, queryIs('limit', '100')), (request) =>
        withQuery(request, { limit: '1000' }),
      ),
    },
    'LIST-10': {
      'returns 101 animals for limit=101': {
        alsoBreaks: ['LIST-11'],
        middleware: (request, next) => {
          if (request.query.limit !== '101') return next(request)
          return withList(next(withQuery(request, { limit: '100' })), (pets) => [
            ...pets,
            { id: 88_888n, name: 'One more', categoryId: 1n },
          ])
        },
      },
    },
    'LIST-11': {
      'fails with 500 on a limit that is not a number': {
        alsoBreaks: ['ERR-6'],
        ...replaceResponse([400], queryIs('limit', 'abc'), errorResponse(500)),
      },
    },
    'LIST-18': {
      'lists an animal twice': editPages(isUnfiltered, (pets) =>
        pets.length > 1 ? [...pets.slice(0, -1), ...pets.slice(0, 1)] : pets,
      ),
    },
    'LIST-19': {
      'returns fewer animals for a larger limit': editRequest(
        allOf(isUnfiltered, queryIs('limit', '100')),
        (request) => withQuery(request, { limit: '5' }),
      ),
    },
    'LIST-20': {
      'returns three animals for limit=2': editRequest(queryIs('limit', '2'), (request) =>
        withQuery(request, { limit: '3' }),
      ),
      'rejects limit=2': editRequest(queryIs('limit', '2'), (request) => withQuery(request, { limit: '0' })),
    },
  }),
  ...invalidPets.map(([does, edit]): Broken => ({ rule: 'LIST-4', does, ...oneAnimal(edit) })),
  ...invalidStatuses.map(
    ([does, status]): Broken => ({
      rule: 'LIST-5',
      does,
      ...oneAnimal((pet) => ({ ...pet, status })),
    }),
  ),
]
