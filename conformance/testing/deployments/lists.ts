import {
  allOf,
  applyEdit,
  editItems,
  editJson,
  editList,
  editOn,
  editQuery,
  hasQuery,
  hasUndeclaredStatus,
  type ItemEdit,
  isList,
  replaceResponse,
  setHeaders,
  setStatus,
  startWith,
  type When,
} from './change.ts'
import { type Change, toPetJson } from './deployment.ts'
import { createErrorResponse, createJsonResponse, findCaller } from './exchange.ts'
import { type Json, readJson } from './json.ts'
import {
  addBrokenRules,
  addUnprovenRules,
  type BrokenDeployment,
  createBroken,
  createLegal,
  type LegalDeployment,
  listFamilyIds,
} from './variant.ts'
import { type Animal, seedAnimals, type World } from './world.ts'

const hasNoQuery: When = (request) => isList(request) && Object.keys(request.query).length === 0
const isUnfiltered = allOf(isList, hasQuery('status'))
const isFiltered: When = (request) => isList(request) && request.query.status !== undefined
const isFilteredWithLimit: When = (request) => isFiltered(request) && (request.query.limit ?? '100') !== '100'
const isUnfilteredWithLimit = (limit: string): When => allOf(isUnfiltered, hasQuery('limit', limit))

const editPages = (when: When, edit: Parameters<typeof editList>[0]): Change =>
  editOn(200, when, editList(edit))
const addAnimal = (pets: readonly Json[]): readonly Json[] => [
  ...pets,
  { id: 88_888n, name: 'One more', categoryId: 1n },
]
/** Changes the fifth animal of unfiltered pages. */
const editFifthAnimal = (edit: ItemEdit): Change =>
  editOn(
    200,
    isUnfiltered,
    editItems((pet, n) => (n === 4 ? applyEdit(pet, edit) : pet)),
  )

const createStrayAnimal = (status: string): Json => ({ id: 77_777n, name: 'Stray', categoryId: 1n, status })
/** Replaces an animal on the short page for a status. */
const leakIntoShortPage = (status: string, other: string): Change =>
  editPages(allOf(hasQuery('status', status), hasQuery('limit')), (pets) => [
    ...pets.slice(1),
    createStrayAnimal(other),
  ])
/** Adds an animal to the long page for a status. */
const addToLongPage = (status: string, other: string): Change =>
  editPages(allOf(hasQuery('status', status), hasQuery('limit', '100')), (pets) => [
    ...pets,
    createStrayAnimal(other),
  ])

/** Returns all animals for one value of `limit`. */
const returnEveryAnimal = (limit: string): Change => ({
  middleware: (request, next, world) =>
    isList(request) && request.query.limit === limit && findCaller(request) !== 'anonymous'
      ? replaceResponse(next(request), createJsonResponse(200, world.animals.map(toPetJson)))
      : next(request),
})

const startWithAnimals = (
  count: number,
  edit: (animal: Animal, n: number) => Animal = (animal) => animal,
): Change => startWith({ animals: seedAnimals(count).map(edit) })
const makeAvailable = (animal: Animal): Animal => ({ ...animal, status: 'available' })

/** Deployments that break rules about lists. */
export const brokenListDeployments: readonly BrokenDeployment[] = createBroken({
  'LIST-1: returns 206 for listPets': editOn(200, hasNoQuery, setStatus(206)),
  'LIST-2: sends lists with the content type text/html': editOn(
    200,
    isList,
    setHeaders({ 'content-type': 'text/html' }),
  ),
  'LIST-3: wraps the array of animals in an object': editOn(
    200,
    isUnfiltered,
    editJson((data) => ({ data })),
  ),
  'LIST-4: lists an animal without a name': editFifthAnimal({ name: undefined }),
  'LIST-4: lists an animal whose ID is a string': editFifthAnimal((pet) => ({ ...pet, id: String(pet.id) })),
  'LIST-4: lists an animal whose categoryId is beyond int64': editFifthAnimal({ categoryId: 2n ** 63n }),
  'LIST-4: lists null instead of an animal': editFifthAnimal(() => null),
  'LIST-5: lists an animal with an undeclared status': editFifthAnimal({ status: 'lost' }),
  'LIST-5: lists an animal whose status is null': editFifthAnimal({ status: null }),
  'LIST-6: returns 25 animals by default': addBrokenRules('LIST-7', editQuery(hasNoQuery, { limit: '25' })),
  'LIST-7: returns 10 animals by default': editQuery(hasNoQuery, { limit: '10' }),
  'LIST-8: returns two animals for limit=1': {
    profile: 'read',
    ...editQuery(isUnfilteredWithLimit('1'), { limit: '2' }),
  },
  'LIST-8: returns an error for limit=1': {
    profile: 'read',
    ...editQuery(isUnfilteredWithLimit('1'), { limit: '0' }),
  },
  'LIST-9: returns 101 animals for limit=100': addBrokenRules(
    listFamilyIds('GET', 1, 6),
    editPages(isUnfilteredWithLimit('100'), addAnimal),
  ),
  'LIST-9: returns an error for limit=100': editQuery(allOf(isList, hasQuery('limit', '100')), {
    limit: '1000',
  }),
  'LIST-10: returns 101 animals for limit=101': {
    alsoBreaks: ['LIST-11'],
    middleware: (request, next) =>
      request.query.limit === '101'
        ? editList(addAnimal)(next({ ...request, query: { ...request.query, limit: '100' } }))
        : next(request),
  },
  'LIST-10: returns all 110 animals for limit=200': returnEveryAnimal('200'),
  'LIST-10: returns all 110 animals for a limit beyond int64': returnEveryAnimal('99999999999999999999'),
  'LIST-11: returns 500 for a limit that is not a number': addBrokenRules(
    'ERR-6',
    editOn(400, hasQuery('limit', 'abc'), createErrorResponse(500)),
  ),
  'LIST-12: returns a sold animal for status=available': {
    profile: 'read',
    ...leakIntoShortPage('available', 'sold'),
  },
  'LIST-12: returns a sold animal for status=available&limit=100': addToLongPage('available', 'sold'),
  'LIST-13: returns an available animal for status=pending': {
    profile: 'read',
    ...leakIntoShortPage('pending', 'available'),
  },
  'LIST-13: returns a sold animal for status=pending&limit=100': addToLongPage('pending', 'sold'),
  'LIST-14: returns a pending animal for status=sold': {
    profile: 'read',
    ...leakIntoShortPage('sold', 'pending'),
  },
  'LIST-14: returns a pending animal for status=sold&limit=100': addToLongPage('sold', 'pending'),
  'LIST-14: returns an error for status=sold': {
    profile: 'read',
    alsoBreaks: ['LIST-9'],
    ...editOn(200, allOf(isList, hasQuery('status', 'sold')), createErrorResponse(400)),
  },
  'LIST-15: omits an animal from the list filtered by its status': editPages(isFiltered, (pets) =>
    pets.slice(1),
  ),
  'LIST-16: ignores limit in requests that also have a status': {
    profile: 'read',
    ...editQuery(isFilteredWithLimit, { limit: '100' }),
  },
  'LIST-16: ignores status in requests that also have a small limit': editQuery(isFilteredWithLimit, {
    status: undefined,
  }),
  'LIST-16: returns 50 animals by default for a status filter': editQuery(
    allOf(isFiltered, hasQuery('limit')),
    {
      limit: '50',
    },
  ),
  'LIST-16: returns available animals for every status': {
    profile: 'read',
    ...startWithAnimals(12, makeAvailable),
    ...editQuery(isFilteredWithLimit, { status: undefined }),
  },
  'LIST-16: ignores limit and lists 12 available animals': {
    ...startWithAnimals(12, makeAvailable),
    ...editQuery(isFilteredWithLimit, { limit: '100' }),
  },
  'LIST-17: treats status=sol as status=sold': editQuery(hasQuery('status', 'sol'), {
    status: 'sold',
  }),
  'LIST-17: ignores a status filter with an undeclared value': editQuery(hasUndeclaredStatus, {
    status: undefined,
  }),
  'LIST-18: lists the same animal twice on a page': editPages(isUnfiltered, (pets) =>
    pets.length > 1 ? [...pets.slice(0, -1), ...pets.slice(0, 1)] : pets,
  ),
  'LIST-19: returns fewer animals for limit=100 than by default': addBrokenRules(
    'CREATE-8',
    editQuery(isUnfilteredWithLimit('100'), { limit: '5' }),
  ),
  'LIST-20: returns three animals for limit=2': editQuery(hasQuery('limit', '2'), { limit: '3' }),
  'LIST-20: returns 60 animals for limit=50': editQuery(hasQuery('limit', '50'), { limit: '60' }),
})

const isInvalidLimit: When = (request) => {
  const { limit = '20' } = request.query
  return isList(request) && !(/^\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 100)
}
const capLimit = (limit: number): Change =>
  editQuery((request) => isList(request) && Number(request.query.limit) > limit, { limit: String(limit) })

/** Reorders the animals before each list. */
const reorderAnimals = (order: (animals: Animal[], world: World) => Animal[]): Change => ({
  middleware: (request, next, world) => {
    if (isList(request)) world.animals = order(world.animals, world)
    return next(request)
  },
})

const shuffleAnimals = (animals: readonly Animal[], seed: number): Animal[] =>
  animals
    .map((animal, n) => ({ animal, rank: ((n + 1) * 7919 * (seed + 1)) % 104_729 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ animal }) => animal)

const removeStatus = ({ id, name, categoryId }: Animal): Animal => ({ id, name, categoryId })
/** Rules that only a complete page decides. */
const wholeListRules = ['LIST-15', 'CREATE-8', 'CREATE-24']

/** Deployments that conform, with choices that section 4.1 leaves open. */
export const legalListDeployments: readonly LegalDeployment[] = createLegal({
  'order of animals: lists the newest animals first': reorderAnimals((all) =>
    all.toSorted((a, b) => (a.id < b.id ? 1 : -1)),
  ),
  'order of animals: lists animals in a different order each time': {
    ...startWithAnimals(90),
    ...reorderAnimals((all, { requests }) => shuffleAnimals(all, requests)),
  },
  'maximum page size: returns at most 50 animals for any limit': capLimit(50),
  'maximum page size: returns at most 20 animals for any limit': addUnprovenRules(
    wholeListRules,
    capLimit(20),
  ),
  'maximum page size: returns 40 animals for limit=50': editQuery(hasQuery('limit', '50'), { limit: '40' }),
  'invalid limit: returns 100 animals for limit=101': editQuery(
    ({ query: { limit = '' } }) => /^\d+$/.test(limit) && Number(limit) > 100,
    { limit: '100' },
  ),
  'maximum page size: returns one animal for limit=2': editQuery(hasQuery('limit', '2'), { limit: '1' }),
  'pagination headers: sends a Link header for the next page': editOn(
    200,
    isList,
    (response, { query: { limit = '20' } }) => {
      const pets = readJson(response.body)
      const isFull = Array.isArray(pets) && pets.length === Number(limit)
      const link = { link: '</v1/pets?after=9>; rel="next"', 'x-total-count': '110' }
      return isFull ? setHeaders(link)(response) : response
    },
  ),
  'invalid limit: returns 20 animals for an invalid limit': editQuery(isInvalidLimit, {
    limit: undefined,
  }),
  'invalid limit: returns an empty array for limit=0': editOn(
    400,
    allOf(isList, hasQuery('limit', '0')),
    createJsonResponse(200, []),
  ),
  'invalid limit: returns 422 for an invalid limit': editOn(400, isInvalidLimit, createErrorResponse(422)),
  'filter by an undeclared status: returns an empty array for status=lost': editOn(
    400,
    hasUndeclaredStatus,
    createJsonResponse(200, []),
  ),
  'filter by an undeclared status: returns 422 for status=lost': editOn(
    400,
    hasUndeclaredStatus,
    createErrorResponse(422),
  ),
  'optional status: lists some animals without a status': startWithAnimals(130, (animal, n) =>
    n % 5 === 0 ? removeStatus(animal) : animal,
  ),
  'optional status: lists every animal without a status': startWithAnimals(60, removeStatus),
  'stored animals: lists only sold animals': addUnprovenRules(
    ['LIST-15'],
    startWithAnimals(110, (animal) => ({ ...animal, status: 'sold' })),
  ),
  'stored animals: lists animals with unusual names and a negative categoryId': startWithAnimals(
    110,
    (animal, n) => ({
      ...animal,
      name: n % 2 === 0 ? '' : ' "\\\u2028\ud800',
      categoryId: -animal.categoryId,
    }),
  ),
  'stored animals: returns an empty array because no animals are stored': startWithAnimals(0),
  'stored animals: lists a single animal': startWithAnimals(1),
  'stored animals: lists two available animals': startWithAnimals(2, makeAvailable),
  'stored animals: lists 12 available animals': startWithAnimals(12, makeAvailable),
  'stored animals: lists 12 sold animals': startWithAnimals(12, (animal) => ({ ...animal, status: 'sold' })),
  'stored animals: lists exactly 20 animals': startWithAnimals(20),
  'stored animals: lists pages from 500 stored animals': addUnprovenRules(
    wholeListRules,
    startWith({ animals: seedAnimals(500), nextId: 10_000n }),
  ),
  'animal IDs: lists positive and negative int64 IDs': startWith({
    animals: seedAnimals(110).map((animal, n) => ({
      ...animal,
      id: 2n ** 63n - 1n - BigInt(n) * 141_863_388_262_170_625n,
    })),
    nextId: -9_000_000_000_000_000_000n,
  }),
  'animal IDs: serves an unlisted animal with a listed ID plus 2^32': startWith({
    animals: seedAnimals(110).map((animal, n) => (n === 109 ? { ...animal, id: 3n + 2n ** 32n } : animal)),
  }),
})
