import {
  allOf,
  editRequest,
  editResponseWith,
  isList,
  queryIs,
  replaceResponse,
  setHeaders,
  type When,
} from '../change.ts'
import type { Change } from '../deployment.ts'
import { withEach, withJson, withList, without, withQuery } from '../edit.ts'
import { type ApiResponse, errorResponse } from '../exchange.ts'
import type { Json, JsonObject } from '../json.ts'
import type { Broken } from '../variant.ts'

const hasNoQuery: When = (request) => isList(request) && Object.keys(request.query).length === 0
const isUnfiltered = allOf(isList, (request) => request.query.status === undefined)
/** Changes one animal of every unfiltered list. */
const oneAnimal = (edit: (pet: JsonObject) => Json): Change =>
  editResponseWith([200], isUnfiltered, (response: ApiResponse) =>
    withEach(response, (pet, n) => (n === 4 ? edit(pet) : pet)),
  )

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
  {
    rule: 'LIST-1',
    does: 'responds to listPets with 206',
    change: editResponseWith([200], hasNoQuery, (response) => ({ ...response, status: 206 })),
  },
  {
    rule: 'LIST-1',
    does: 'fails with 500 on listPets',
    alsoBreaks: ['ERR-6'],
    change: replaceResponse([200], hasNoQuery, errorResponse(500)),
  },
  {
    rule: 'LIST-2',
    does: 'labels lists as HTML',
    change: setHeaders([200], isList, { 'content-type': 'text/html' }),
  },
  {
    rule: 'LIST-2',
    does: 'labels lists as text/json',
    change: setHeaders([200], isList, { 'content-type': 'text/json' }),
  },
  {
    rule: 'LIST-3',
    does: 'wraps its lists in an object',
    change: editResponseWith([200], isUnfiltered, (response) => withJson(response, (data) => ({ data }))),
  },
  ...invalidPets.map(([does, edit]): Broken => ({ rule: 'LIST-4', does, change: oneAnimal(edit) })),
  ...invalidStatuses.map(
    ([does, status]): Broken => ({
      rule: 'LIST-5',
      does,
      change: oneAnimal((pet) => ({ ...pet, status })),
    }),
  ),
  {
    rule: 'LIST-6',
    does: 'has a default limit of 25',
    alsoBreaks: ['LIST-7'],
    change: editRequest(hasNoQuery, (request) => withQuery(request, { limit: '25' })),
  },
  {
    rule: 'LIST-7',
    does: 'has a default limit of 10',
    change: editRequest(hasNoQuery, (request) => withQuery(request, { limit: '10' })),
  },
  {
    rule: 'LIST-8',
    does: 'returns two animals for limit=1',
    profile: 'read',
    change: editRequest(allOf(isUnfiltered, queryIs('limit', '1')), (request) =>
      withQuery(request, { limit: '2' }),
    ),
  },
  {
    rule: 'LIST-8',
    does: 'rejects limit=1',
    profile: 'read',
    change: editRequest(allOf(isUnfiltered, queryIs('limit', '1')), (request) =>
      withQuery(request, { limit: '0' }),
    ),
  },
  {
    rule: 'LIST-9',
    does: 'returns 101 animals for limit=100',
    change: editResponseWith([200], allOf(isUnfiltered, queryIs('limit', '100')), (response) =>
      withList(response, (pets) => [...pets, { id: 88_888n, name: 'One more', categoryId: 1n }]),
    ),
  },
  {
    rule: 'LIST-9',
    does: 'rejects limit=100',
    change: editRequest(allOf(isList, queryIs('limit', '100')), (request) =>
      withQuery(request, { limit: '1000' }),
    ),
  },
  {
    rule: 'LIST-10',
    does: 'returns 101 animals for limit=101',
    alsoBreaks: ['LIST-11'],
    change: {
      middleware: (request, next) => {
        if (request.query.limit !== '101') return next(request)
        return withList(next(withQuery(request, { limit: '100' })), (pets) => [
          ...pets,
          { id: 88_888n, name: 'One more', categoryId: 1n },
        ])
      },
    },
  },
  {
    rule: 'LIST-11',
    does: 'fails with 500 on a limit that is not a number',
    alsoBreaks: ['ERR-6'],
    change: replaceResponse([400], queryIs('limit', 'abc'), errorResponse(500)),
  },
  {
    rule: 'LIST-18',
    does: 'lists an animal twice',
    change: editResponseWith([200], isUnfiltered, (response) =>
      withList(response, (pets) => (pets.length > 1 ? [...pets.slice(0, -1), ...pets.slice(0, 1)] : pets)),
    ),
  },
  {
    rule: 'LIST-19',
    does: 'returns fewer animals for a larger limit',
    change: editRequest(allOf(isUnfiltered, queryIs('limit', '100')), (request) =>
      withQuery(request, { limit: '5' }),
    ),
  },
  {
    rule: 'LIST-20',
    does: 'returns three animals for limit=2',
    change: editRequest(queryIs('limit', '2'), (request) => withQuery(request, { limit: '3' })),
  },
  {
    rule: 'LIST-20',
    does: 'rejects limit=2',
    change: editRequest(queryIs('limit', '2'), (request) => withQuery(request, { limit: '0' })),
  },
]
