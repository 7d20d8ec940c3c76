import {
  allOf,
  edited,
  editQuery,
  hasUndeclaredStatus,
  headers,
  type ItemEdit,
  initially,
  isList,
  items,
  json,
  list,
  on,
  queryIs,
  replaced,
  status,
  type When,
} from './change.ts'
import { type Change, petJson } from './deployment.ts'
import { createErrorResponse, findCaller, jsonResponse } from './exchange.ts'
import { type Json, readJson } from './json.ts'
import { allowedBy, also, type Broken, brokenBy, idsIn, type Legal, unproven } from './variant.ts'
import { type Animal, seedAnimals, type World } from './world.ts'

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

/** Returns every animal for one value of `limit`. */
const everyAnimal = (limit: string): Change => ({
  middleware: (request, next, world) =>
    isList(request) && request.query.limit === limit && findCaller(request) !== 'anonymous'
      ? replaced(next(request), jsonResponse(200, world.animals.map(petJson)))
      : next(request),
})

/** Starts with this number of animals, each of them changed. */
const animals = (count: number, edit: (animal: Animal, n: number) => Animal = (animal) => animal): Change =>
  initially({ animals: seedAnimals(count).map(edit) })
const available = (animal: Animal): Animal => ({ ...animal, status: 'available' })

/** Variants that break sections 2, 3 and 4.1. */
export const brokenLists: readonly Broken[] = brokenBy({
  'LIST-1 responds to listPets with 206': on(200, hasNoQuery, status(206)),
  'LIST-2 labels lists as HTML': on(200, isList, headers({ 'content-type': 'text/html' })),
  'LIST-3 wraps its lists in an object': on(
    200,
    isUnfiltered,
    json((data) => ({ data })),
  ),
  'LIST-4 lists an animal without a name': oneAnimal({ name: undefined }),
  'LIST-4 lists an id that is a string': oneAnimal((pet) => ({ ...pet, id: String(pet.id) })),
  'LIST-4 lists a category beyond int64': oneAnimal({ categoryId: 2n ** 63n }),
  'LIST-4 lists null instead of an animal': oneAnimal(() => null),
  'LIST-5 lists an animal with an undeclared status': oneAnimal({ status: 'lost' }),
  'LIST-5 lists a null status': oneAnimal({ status: null }),
  'LIST-6 has a default limit of 25': also('LIST-7', editQuery(hasNoQuery, { limit: '25' })),
  'LIST-7 has a default limit of 10': editQuery(hasNoQuery, { limit: '10' }),
  'LIST-8 returns two animals for limit=1': { profile: 'read', ...editQuery(limitIs('1'), { limit: '2' }) },
  'LIST-8 rejects limit=1': { profile: 'read', ...editQuery(limitIs('1'), { limit: '0' }) },
  'LIST-9 returns 101 animals for limit=100': also(idsIn('GET', 1, 6), pages(limitIs('100'), oneMore)),
  'LIST-9 rejects limit=100': editQuery(allOf(isList, queryIs('limit', '100')), { limit: '1000' }),
  'LIST-10 returns 101 animals for limit=101': {
    alsoBreaks: ['LIST-11'],
    middleware: (request, next) =>
      request.query.limit === '101'
        ? list(oneMore)(next({ ...request, query: { ...request.query, limit: '100' } }))
        : next(request),
  },
  'LIST-10 returns all 110 animals for limit=200': everyAnimal('200'),
  'LIST-10 returns all 110 animals for a limit beyond int64': everyAnimal('99999999999999999999'),
  'LIST-11 fails with 500 on a limit that is not a number': also(
    'ERR-6',
    on(400, queryIs('limit', 'abc'), createErrorResponse(500)),
  ),
  'LIST-12 returns a sold animal for status=available': {
    profile: 'read',
    ...leaksInto('available', 'sold'),
  },
  'LIST-12 adds an animal of another status to the long page of status=available': addsTo(
    'available',
    'sold',
  ),
  'LIST-13 returns an available animal for status=pending': {
    profile: 'read',
    ...leaksInto('pending', 'available'),
  },
  'LIST-13 adds an animal of another status to the long page of status=pending': addsTo('pending', 'sold'),
  'LIST-14 returns a pending animal for status=sold': { profile: 'read', ...leaksInto('sold', 'pending') },
  'LIST-14 adds an animal of another status to the long page of status=sold': addsTo('sold', 'pending'),
  'LIST-14 rejects status=sold': {
    profile: 'read',
    alsoBreaks: ['LIST-9'],
    ...on(200, allOf(isList, queryIs('status', 'sold')), createErrorResponse(400)),
  },
  'LIST-15 leaves an animal out of its filtered list': pages(isFiltered, (pets) => pets.slice(1)),
  'LIST-16 ignores the limit of a filtered list': {
    profile: 'read',
    ...editQuery(isLimited, { limit: '100' }),
  },
  'LIST-16 ignores the filter of a list with a small limit': editQuery(isLimited, { status: undefined }),
  'LIST-16 has a default limit of 50 for a filtered list': editQuery(allOf(isFiltered, queryIs('limit')), {
    limit: '50',
  }),
  'LIST-16 ignores the filter next to a limit, and has only available animals': {
    profile: 'read',
    ...animals(12, available),
    ...editQuery(isLimited, { status: undefined }),
  },
  'LIST-16 ignores the limit next to a filter, and has only available animals': {
    ...animals(12, available),
    ...editQuery(isLimited, { limit: '100' }),
  },
  'LIST-17 returns the animals of the status that begins with the filter': editQuery(
    queryIs('status', 'sol'),
    { status: 'sold' },
  ),
  'LIST-17 ignores a filter by an undeclared status': editQuery(hasUndeclaredStatus, { status: undefined }),
  'LIST-18 lists an animal twice': pages(isUnfiltered, (pets) =>
    pets.length > 1 ? [...pets.slice(0, -1), ...pets.slice(0, 1)] : pets,
  ),
  'LIST-19 returns fewer animals for a larger limit': also(
    'CREATE-8',
    editQuery(limitIs('100'), { limit: '5' }),
  ),
  'LIST-20 returns three animals for limit=2': editQuery(queryIs('limit', '2'), { limit: '3' }),
  'LIST-20 returns 60 animals for limit=50': editQuery(queryIs('limit', '50'), { limit: '60' }),
})

const isInvalidLimit: When = (request) => {
  const { limit = '20' } = request.query
  return isList(request) && !(/^\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 100)
}
/** Returns at most `limit` animals, also if the request has a larger limit. */
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

const withoutStatus = ({ id, name, categoryId }: Animal): Animal => ({ id, name, categoryId })
/** The MUST rules that need a page that has every animal. */
const wholeListRules = ['LIST-15', 'CREATE-8', 'CREATE-24']

/** Variants of what section 4.1 leaves open about lists. */
export const legalLists: readonly Legal[] = allowedBy({
  'order: lists the newest first': ordered((all) => all.toSorted((a, b) => (a.id < b.id ? 1 : -1))),
  'order: lists in a different order each time': {
    ...animals(90),
    ...ordered((all, { requests }) => shuffled(all, requests)),
  },
  'limit is a maximum: returns at most 50 animals': atMost(50),
  'limit is a maximum: returns at most 20 animals': unproven(wholeListRules, atMost(20)),
  'limit is a maximum: returns 40 animals for limit=50': editQuery(queryIs('limit', '50'), { limit: '40' }),
  'an invalid limit: uses 100 instead of any larger limit': editQuery(
    ({ query: { limit = '' } }) => /^\d+$/.test(limit) && Number(limit) > 100,
    { limit: '100' },
  ),
  'limit is a maximum: returns one animal for limit=2': editQuery(queryIs('limit', '2'), { limit: '1' }),
  'pagination metadata: links to the next page': on(200, isList, (response, { query: { limit = '20' } }) => {
    const pets = readJson(response.body)
    const isFull = Array.isArray(pets) && pets.length === Number(limit)
    const link = { link: '</v1/pets?after=9>; rel="next"', 'x-total-count': '110' }
    return isFull ? headers(link)(response) : response
  }),
  'an invalid limit: uses the default instead of an invalid limit': editQuery(isInvalidLimit, {
    limit: undefined,
  }),
  'an invalid limit: returns an empty list for limit=0': on(
    400,
    allOf(isList, queryIs('limit', '0')),
    jsonResponse(200, []),
  ),
  'an invalid limit: rejects an invalid limit with 422': on(400, isInvalidLimit, createErrorResponse(422)),
  'an undeclared status: returns an empty list for an undeclared status': on(
    400,
    hasUndeclaredStatus,
    jsonResponse(200, []),
  ),
  'an undeclared status: rejects an undeclared status with 422': on(
    400,
    hasUndeclaredStatus,
    createErrorResponse(422),
  ),
  'status is optional: has some animals without a status': animals(130, (animal, n) =>
    n % 5 === 0 ? withoutStatus(animal) : animal,
  ),
  'status is optional: has no animal with a status': animals(60, withoutStatus),
  'the animals: has sold every animal': unproven(
    ['LIST-15'],
    animals(110, (animal) => ({ ...animal, status: 'sold' })),
  ),
  'the animals: has empty and unusual names, and negative categories': animals(110, (animal, n) => ({
    ...animal,
    name: n % 2 === 0 ? '' : ' "\\\u2028\ud800',
    categoryId: -animal.categoryId,
  })),
  'the animals: is empty': animals(0),
  'the animals: has one animal': animals(1),
  'the animals: has two animals, both available': animals(2, available),
  'the animals: has 12 animals, all available': animals(12, available),
  'the animals: has 12 animals, all sold': animals(12, (animal) => ({ ...animal, status: 'sold' })),
  'the animals: has exactly 20 animals': animals(20),
  'the animals: has 500 animals': unproven(wholeListRules, animals(500)),
  'ids: has ids across int64, negative ones included': initially({
    animals: seedAnimals(110).map((animal, n) => ({
      ...animal,
      id: 2n ** 63n - 1n - BigInt(n) * 141_863_388_262_170_625n,
    })),
    nextId: -9_000_000_000_000_000_000n,
  }),
  'ids: has an animal that no page shows, whose id is a listed one plus 2^32': initially({
    animals: seedAnimals(110).map((animal, n) => (n === 109 ? { ...animal, id: 3n + 2n ** 32n } : animal)),
  }),
})
