import {
  allOf,
  edited,
  editQuery,
  hasUndeclaredStatus,
  headers,
  type ItemEdit,
  isList,
  items,
  json,
  list,
  on,
  queryIs,
  status,
  type When,
} from '../change.ts'
import type { Change } from '../deployment.ts'
import { errorResponse } from '../exchange.ts'
import type { Json } from '../json.ts'
import { also, type Broken, brokenBy } from '../variant.ts'

const hasNoQuery: When = (request) => isList(request) && Object.keys(request.query).length === 0
const isUnfiltered = allOf(isList, queryIs('status'))
const isFiltered: When = (request) => isList(request) && request.query.status !== undefined
const isLimited: When = (request) => isFiltered(request) && (request.query.limit ?? '100') !== '100'
const limitIs = (limit: string): When => allOf(isUnfiltered, queryIs('limit', limit))

/** Changes the array of pages. */
const pages = (when: When, edit: Parameters<typeof list>[0]): Change => on(200, when, list(edit))
const oneMore = (pets: readonly Json[]): readonly Json[] => [
  ...pets,
  { id: 88_888n, name: 'One more', categoryId: 1n },
]
/** Changes one animal of every unfiltered list. */
const oneAnimal = (edit: ItemEdit): Change =>
  on(
    200,
    isUnfiltered,
    items((pet, n) => (n === 4 ? edited(pet, edit) : pet)),
  )

const stray = (status: string): Json => ({ id: 77_777n, name: 'Stray', categoryId: 1n, status })
/** Puts an animal with another status on the default page of one status. */
const leaksInto = (status: string, other: string): Change =>
  pages(allOf(queryIs('status', status), queryIs('limit')), (pets) => [...pets.slice(1), stray(other)])
/** Adds an animal with another status to the long page of one status. */
const addsTo = (status: string, other: string): Change =>
  pages(allOf(queryIs('status', status), queryIs('limit', '100')), (pets) => [...pets, stray(other)])

/** Variants that break sections 2, 3 and 4.1. */
export const brokenLists: readonly Broken[] = brokenBy({
  'LIST-1': {
    'responds to listPets with 206': on(200, hasNoQuery, status(206)),
    'fails with 500 on listPets': also('ERR-6', on(200, hasNoQuery, errorResponse(500))),
  },
  'LIST-2': {
    'labels lists as HTML': on(200, isList, headers({ 'content-type': 'text/html' })),
    'labels lists as text/json': on(200, isList, headers({ 'content-type': 'text/json' })),
  },
  'LIST-3': {
    'wraps its lists in an object': on(
      200,
      isUnfiltered,
      json((data) => ({ data })),
    ),
  },
  'LIST-4': {
    'lists an animal without an id': oneAnimal({ id: undefined }),
    'lists an animal without a name': oneAnimal({ name: undefined }),
    'lists an animal without a category': oneAnimal({ categoryId: undefined }),
    'lists an id that is a string': oneAnimal((pet) => ({ ...pet, id: String(pet.id) })),
    'lists a name that is a number': oneAnimal({ name: 7n }),
    'lists a null category': oneAnimal({ categoryId: null }),
    'lists a category beyond int64': oneAnimal({ categoryId: 2n ** 63n }),
    'lists a category with a fraction': oneAnimal({ categoryId: 1.5 }),
    'lists null in place of an animal': oneAnimal(() => null),
    'lists a number in place of an animal': oneAnimal((pet) => pet.id ?? null),
  },
  'LIST-5': {
    'lists an animal with an undeclared status': oneAnimal({ status: 'lost' }),
    'lists a null status': oneAnimal({ status: null }),
    'lists a status in capitals': oneAnimal({ status: 'SOLD' }),
    'lists a status that is an array': oneAnimal({ status: ['sold'] }),
  },
  'LIST-6': {
    'has a default limit of 25': also('LIST-7', editQuery(hasNoQuery, { limit: '25' })),
  },
  'LIST-7': {
    'has a default limit of 10': editQuery(hasNoQuery, { limit: '10' }),
  },
  'LIST-8': {
    'returns two animals for limit=1': { profile: 'read', ...editQuery(limitIs('1'), { limit: '2' }) },
    'rejects limit=1': { profile: 'read', ...editQuery(limitIs('1'), { limit: '0' }) },
  },
  'LIST-9': {
    'returns 101 animals for limit=100': pages(limitIs('100'), oneMore),
    'rejects limit=100': editQuery(allOf(isList, queryIs('limit', '100')), { limit: '1000' }),
  },
  'LIST-10': {
    'returns 101 animals for limit=101': {
      alsoBreaks: ['LIST-11'],
      middleware: (request, next) =>
        request.query.limit === '101'
          ? list(oneMore)(next({ ...request, query: { ...request.query, limit: '100' } }))
          : next(request),
    },
  },
  'LIST-11': {
    'fails with 500 on a limit that is not a number': also(
      'ERR-6',
      on(400, queryIs('limit', 'abc'), errorResponse(500)),
    ),
  },
  'LIST-12': {
    'returns a sold animal for status=available': { profile: 'read', ...leaksInto('available', 'sold') },
    'adds an animal of another status to the long page of status=available': addsTo('available', 'sold'),
  },
  'LIST-13': {
    'returns an available animal for status=pending': {
      profile: 'read',
      ...leaksInto('pending', 'available'),
    },
    'adds an animal of another status to the long page of status=pending': addsTo('pending', 'sold'),
  },
  'LIST-14': {
    'returns a pending animal for status=sold': { profile: 'read', ...leaksInto('sold', 'pending') },
    'adds an animal of another status to the long page of status=sold': addsTo('sold', 'pending'),
  },
  'LIST-15': {
    'leaves an animal out of its filtered list': pages(isFiltered, (pets) => pets.slice(1)),
    'returns an empty list for status=sold': also(
      'CREATE-8',
      pages(queryIs('status', 'sold'), () => []),
    ),
  },
  'LIST-16': {
    'ignores the limit of a filtered list': { profile: 'read', ...editQuery(isLimited, { limit: '100' }) },
    'ignores the filter of a list with a small limit': editQuery(isLimited, { status: undefined }),
  },
  'LIST-17': {
    'ignores a filter by an undeclared status': editQuery(hasUndeclaredStatus, { status: undefined }),
  },
  'LIST-18': {
    'lists an animal twice': pages(isUnfiltered, (pets) =>
      pets.length > 1 ? [...pets.slice(0, -1), ...pets.slice(0, 1)] : pets,
    ),
  },
  'LIST-19': {
    'returns fewer animals for a larger limit': editQuery(limitIs('100'), { limit: '5' }),
  },
  'LIST-20': {
    'returns three animals for limit=2': editQuery(queryIs('limit', '2'), { limit: '3' }),
    'rejects limit=2': editQuery(queryIs('limit', '2'), { limit: '0' }),
  },
})
