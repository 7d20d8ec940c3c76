import {
  allOf,
  editQuery,
  hasUndeclaredStatus,
  headers,
  initially,
  isList,
  on,
  queryIs,
  type When,
} from '../change.ts'
import type { Change } from '../deployment.ts'
import { errorResponse, jsonResponse } from '../exchange.ts'
import { readJson } from '../json.ts'
import { allowedBy, type Legal, unproven } from '../variant.ts'
import { type Animal, seedAnimals, type World } from '../world.ts'

const isInvalidLimit: When = (request) => {
  const { limit = '20' } = request.query
  return isList(request) && !(/^\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 100)
}
/** Returns at most so many animals. */
const atMost = (limit: number): Change =>
  editQuery((request) => isList(request) && Number(request.query.limit) > limit, { limit: String(limit) })

/** Changes the order of the animals before every list. */
const ordered = (order: (animals: Animal[], world: World) => Animal[]): Change => ({
  middleware: (request, next, world) => {
    if (isList(request)) world.animals = order(world.animals, world)
    return next(request)
  },
})

/** A shuffle that differs from request to request and is the same in every run. */
const shuffled = (animals: readonly Animal[], seed: number): Animal[] =>
  animals
    .map((animal, n) => ({ animal, rank: ((n + 1) * 7919 * (seed + 1)) % 104_729 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ animal }) => animal)

/** Starts with so many animals, each of them changed. */
const animals = (count: number, edit: (animal: Animal, n: number) => Animal = (animal) => animal): Change =>
  initially({ animals: seedAnimals(count).map(edit) })
const withoutStatus = ({ id, name, categoryId }: Animal): Animal => ({ id, name, categoryId })
/** The MUST rules that need a page that has every animal. */
const wholeListRules = ['LIST-15', 'CREATE-8', 'CREATE-24']

/** Variants of what section 4.1 leaves open about lists. */
export const legalLists: readonly Legal[] = allowedBy({
  order: {
    'lists the newest first': ordered((all) => all.toSorted((a, b) => (a.id < b.id ? 1 : -1))),
    'lists by name': ordered((all) => all.toSorted((a, b) => a.name.localeCompare(b.name))),
    'lists in a different order each time': {
      ...animals(90),
      ...ordered((all, { requests }) => shuffled(all, requests)),
    },
  },
  'limit is a maximum': {
    'returns at most 50 animals': atMost(50),
    'returns at most 20 animals': unproven(wholeListRules, atMost(20)),
    'returns one animal for limit=2': editQuery(queryIs('limit', '2'), { limit: '1' }),
  },
  'pagination metadata': {
    'links to the next page': on(200, isList, (response, { query: { limit = '20' } }) => {
      const pets = readJson(response.body)
      const isFull = Array.isArray(pets) && pets.length === Number(limit)
      const link = { link: '</v1/pets?after=9>; rel="next"', 'x-total-count': '110' }
      return isFull ? headers(link)(response) : response
    }),
  },
  'an invalid limit': {
    'uses the default in place of an invalid limit': editQuery(isInvalidLimit, { limit: undefined }),
    'uses 100 in place of limit=101': editQuery(queryIs('limit', '101'), { limit: '100' }),
    'returns an empty list for limit=0': on(400, allOf(isList, queryIs('limit', '0')), jsonResponse(200, [])),
    'rejects an invalid limit with 422': on(400, isInvalidLimit, errorResponse(422)),
    'rejects an invalid limit with 404': on(400, isInvalidLimit, errorResponse(404)),
  },
  'an undeclared status': {
    'returns an empty list for an undeclared status': on(400, hasUndeclaredStatus, jsonResponse(200, [])),
    'rejects an undeclared status with 422': on(400, hasUndeclaredStatus, errorResponse(422)),
  },
  'status is optional': {
    'has some animals without a status': animals(130, (animal, n) =>
      n % 5 === 0 ? withoutStatus(animal) : animal,
    ),
    'has no animal with a status': animals(60, withoutStatus),
  },
  'the animals': {
    'has sold every animal': unproven(
      ['LIST-15', 'LIST-16'],
      animals(110, (animal) => ({ ...animal, status: 'sold' })),
    ),
    'has empty and unusual names, and negative categories': animals(110, (animal, n) => ({
      ...animal,
      name: n % 2 === 0 ? '' : ' "\\\u2028\ud800',
      categoryId: -animal.categoryId,
    })),
    'is empty': animals(0),
    'has one animal': animals(1),
    'has exactly 20 animals': animals(20),
    'has 21 animals': animals(21),
    'has 500 animals': unproven(wholeListRules, animals(500)),
  },
  ids: {
    'has ids across int64, negative ones included': initially({
      animals: seedAnimals(110).map((animal, n) => ({
        ...animal,
        id: 2n ** 63n - 1n - BigInt(n) * 141_863_388_262_170_625n,
      })),
      nextId: -9_000_000_000_000_000_000n,
    }),
  },
})
