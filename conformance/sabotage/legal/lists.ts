import {
  allOf,
  editRequest,
  editResponseWith,
  hasUndeclaredStatus,
  isList,
  queryIs,
  replaceResponse,
  type When,
  withAnimals,
} from '../change.ts'
import type { Change } from '../deployment.ts'
import { responseJson, withHeaders, withQuery } from '../edit.ts'
import { errorResponse, jsonResponse } from '../exchange.ts'
import { allowedBy, type Legal } from '../variant.ts'
import { type Animal, seedAnimals, type World } from '../world.ts'

const isInvalidLimit: When = (request) => {
  const { limit = '20' } = request.query
  return isList(request) && !(/^\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 100)
}

/** Changes the order of the animals before every list. */
const ordered = (order: (animals: Animal[], world: World) => Animal[]): Change => ({
  middleware: (request, next, world) => {
    if (isList(request)) world.animals = order(world.animals, world)
    return next(request)
  },
})

const idsDescending = (a: Animal, b: Animal): number => (a.id < b.id ? 1 : -1)
const compareNames = (a: Animal, b: Animal): number => a.name.localeCompare(b.name)

/** A shuffle that differs from request to request and is the same in every run. */
const shuffled = (animals: readonly Animal[], seed: number): Animal[] =>
  animals
    .map((animal, n) => ({ animal, rank: ((n + 1) * 7919 * (seed + 1)) % 104_729 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ animal }) => animal)

const withoutStatus = ({ id, name, categoryId }: Animal): Animal => ({ id, name, categoryId })

/** Variants of what section 4.1 leaves open about lists. */
export const legalLists: readonly Legal[] = allowedBy({
  order: {
    'lists the newest first': ordered((animals) => [...animals].sort(idsDescending)),
    'lists by name': ordered((animals) => [...animals].sort(compareNames)),
    'lists in a different order each time': {
      ...withAnimals(seedAnimals(90)),
      ...ordered((animals, { requests }) => shuffled(animals, requests)),
    },
  },
  'limit is a maximum': {
    'returns at most 50 animals': editRequest(
      (request) => isList(request) && Number(request.query.limit) > 50,
      (request) => withQuery(request, { limit: '50' }),
    ),
    'returns at most 20 animals': {
      unproven: ['LIST-15', 'CREATE-8', 'CREATE-24'],
      ...editRequest(
        (request) => isList(request) && Number(request.query.limit) > 20,
        (request) => withQuery(request, { limit: '20' }),
      ),
    },
    'returns one animal for limit=2': editRequest(queryIs('limit', '2'), (request) =>
      withQuery(request, { limit: '1' }),
    ),
  },
  'pagination metadata': {
    'links to the next page': editResponseWith([200], isList, (response, { query: { limit = '20' } }) => {
      const pets = responseJson(response)
      const isFull = Array.isArray(pets) && pets.length === Number(limit)
      return isFull
        ? withHeaders(response, { link: '</v1/pets?after=9>; rel="next"', 'x-total-count': '110' })
        : response
    }),
  },
  'an invalid limit': {
    'uses the default in place of an invalid limit': editRequest(isInvalidLimit, (request) =>
      withQuery(request, { limit: undefined }),
    ),
    'uses 100 in place of limit=101': editRequest(queryIs('limit', '101'), (request) =>
      withQuery(request, { limit: '100' }),
    ),
    'returns an empty list for limit=0': replaceResponse(
      [400],
      allOf(isList, queryIs('limit', '0')),
      jsonResponse(200, []),
    ),
    'rejects an invalid limit with 422': replaceResponse([400], isInvalidLimit, errorResponse(422)),
    'rejects an invalid limit with 404': replaceResponse([400], isInvalidLimit, errorResponse(404)),
  },
  'an undeclared status': {
    'returns an empty list for an undeclared status': replaceResponse(
      [400],
      hasUndeclaredStatus,
      jsonResponse(200, []),
    ),
    'rejects an undeclared status with 422': replaceResponse([400], hasUndeclaredStatus, errorResponse(422)),
  },
  'status is optional': {
    'has some animals without a status': withAnimals(
      seedAnimals(130).map((animal, n) => (n % 5 === 0 ? withoutStatus(animal) : animal)),
    ),
    'has no animal with a status': withAnimals(seedAnimals(60).map(withoutStatus)),
  },
  'the animals': {
    'has sold every animal': {
      unproven: ['LIST-15', 'LIST-16'],
      ...withAnimals(seedAnimals(110).map((animal) => ({ ...animal, status: 'sold' }))),
    },
    'has empty and unusual names, and negative categories': withAnimals(
      seedAnimals(110).map((animal, n) => ({
        ...animal,
        name: n % 2 === 0 ? '' : ' "\\\u2028\ud800',
        categoryId: -animal.categoryId,
      })),
    ),
    'is empty': withAnimals([]),
    'has one animal': withAnimals(seedAnimals(1)),
    'has exactly 20 animals': withAnimals(seedAnimals(20)),
    'has 21 animals': withAnimals(seedAnimals(21)),
    'has 500 animals': { unproven: ['LIST-15', 'CREATE-8', 'CREATE-24'], ...withAnimals(seedAnimals(500)) },
  },
  ids: {
    'has ids across int64, negative ones included': {
      prepare: (world) => {
        world.animals = world.animals.map((animal, n) => ({
          ...animal,
          id: 2n ** 63n - 1n - BigInt(n) * 141_863_388_262_170_625n,
        }))
        world.nextId = -9_000_000_000_000_000_000n
      },
    },
  },
})
