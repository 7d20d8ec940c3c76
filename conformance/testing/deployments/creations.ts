import { catalogue } from '../../rules/catalogue.ts'
import {
  always,
  asDouble,
  body,
  createsWith,
  editRequest,
  headers,
  type ItemEdit,
  initially,
  isCreate,
  isGet,
  isList,
  items,
  named,
  on,
  readAs,
  replaced,
  requestJson,
  status,
  type When,
} from './change.ts'
import type { Change } from './deployment.ts'
import { type ApiResponse, createErrorResponse, findCaller } from './exchange.ts'
import { isObject, type JsonObject } from './json.ts'
import { allowedBy, also, type Broken, brokenBy, idsIn, type Legal, unproven } from './variant.ts'
import { mainKey, seedAnimals, type World } from './world.ts'

/** Changes every name that it reads. */
const readNameAs = (edit: (name: string) => string): Change =>
  readAs(({ name }) => typeof name === 'string', named(edit))

/** Changes the Pet that a creation returns. */
const created = (edit: ItemEdit): Change => on(201, isCreate, items(edit))

/** Changes animals in every page and in every response of getPet, but not in the response that creates them. */
const later = (edit: ItemEdit): Change => on(200, (request) => isList(request) || isGet(request), items(edit))

/** Stores the animals of the requests that it rejects with a status: of all, or of some. */
const storing = (rejected: number, when = isCreate): Change => ({
  middleware(request, next, world) {
    const pet = requestJson(request)
    const response = next(request)
    if (response.status === rejected && when(request) && isObject(pet) && typeof pet.name === 'string') {
      world.animals.push({ id: world.nextId, name: pet.name, categoryId: 1n, status: 'available' })
      world.nextId += 1n
    }
    return response
  },
})

const isPet = createsWith((pet) => typeof pet.name === 'string' && typeof pet.categoryId === 'bigint')
const isGetOfNew: When = ({ petId }) => /^\d{4}$/.test(petId)
const isNew = ({ name }: JsonObject): boolean => typeof name === 'string' && name.startsWith('Test')
const escapeHtml = (text: string): string => text.replace(/[&<"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
/** Makes a body invalid, so that the reference rejects it. */
const nameless = { name: undefined }

/** Variants that break sections 2, 3 and 4.2 with a valid body. */
export const brokenCreates: readonly Broken[] = brokenBy({
  'CREATE-1 responds to a creation with 200': on(201, isCreate, status(200)),
  'CREATE-2 returns the id of a created animal as a string': created((pet) => ({
    ...pet,
    id: String(pet.id),
  })),
  'CREATE-2 responds to a creation without a body': on(201, isCreate, body('')),
  'CREATE-3 returns another name than was sent': created(named((name) => `${name} `)),
  'CREATE-3 returns another category than was sent': created({ categoryId: 9n }),
  'CREATE-4 rejects the status pending': readAs(({ status }) => status === 'pending', nameless),
  'CREATE-4 creates every animal as available': readAs(
    ({ status }) => status === 'sold' || status === 'pending',
    {
      status: 'available',
    },
  ),
  'CREATE-5 requires a status': readAs((pet) => !('status' in pet), nameless),
  'CREATE-5 returns a null status': {
    ...initially({ defaultStatus: undefined }),
    ...created((pet) => ({ status: null, ...pet })),
  },
  'CREATE-6 returns the id of a listed animal for every creation': also(
    ['CREATE-7', 'CREATE-26', 'CREATE-28'],
    created({ id: 3n }),
  ),
  'CREATE-7 never serves a created animal': editRequest(isGetOfNew, { petId: '0' }),
  'CREATE-7 serves a created animal under another name': also(
    'CREATE-26',
    on(200, isGetOfNew, items({ name: 'Rex' })),
  ),
  'CREATE-8 leaves created animals out of filtered lists': {
    middleware: (request, next, world) => {
      const { animals } = world
      if (request.query.status !== undefined) world.animals = animals.filter(({ id }) => id < 1000n)
      const response = next(request)
      if (request.query.status !== undefined) world.animals = animals
      return response
    },
  },
  'CREATE-8 has a cache of unfiltered lists that never expires': {
    ...initially({ animals: seedAnimals(22) }),
    ...cached(Number.POSITIVE_INFINITY),
  },
  'CREATE-21 stores categories as doubles': readAs(
    ({ categoryId }) => typeof categoryId === 'bigint' && BigInt.asIntN(64, categoryId) === categoryId,
    asDouble,
  ),
  'CREATE-21 rejects categories that a double cannot hold': readAs(
    ({ categoryId }) => categoryId === 9007199254740993n,
    nameless,
  ),
  'CREATE-22 stores names in ASCII': readNameAs((name) => name.replace(/[^ -~]/g, '?')),
  'CREATE-23 takes the id from the body': {
    middleware: (request, next, world) => {
      const pet = requestJson(request)
      if (isObject(pet) && typeof pet.id === 'bigint') world.nextId = pet.id
      return next(request)
    },
  },
  'CREATE-24 stores what it rejects': storing(400),
  'CREATE-24 stores a valid animal before it looks up the key': {
    ...initially({ animals: seedAnimals(22) }),
    ...storing(401, (request) => request.authorization !== undefined && isPet(request)),
  },
  'CREATE-25 labels the response to a creation as plain text': on(
    201,
    isCreate,
    headers({ 'content-type': 'text/plain' }),
  ),
  'CREATE-26 stores the names of new animals in upper case': also(
    'CREATE-7',
    later((pet) => (isNew(pet) ? { ...pet, name: String(pet.name).toUpperCase() } : pet)),
  ),
  'CREATE-26 stores every categoryId as a double': later(asDouble),
  'CREATE-28 escapes the names of new animals for HTML on pages': also(
    'CREATE-26',
    on(200, isList, items(named((name) => name.replace(/&/g, '&amp;')))),
  ),
  'CREATE-28 trims names': readNameAs((name) => name.trim()),
  'CREATE-28 decodes percent signs in names': readNameAs((name) => name.replace('%41', 'A')),
  'CREATE-28 reads backslashes in names as escapes': readNameAs((name) => name.replace('\\', '')),
  'CREATE-28 escapes names for HTML in the response to a creation': created(named(escapeHtml)),
})

const declaredMembers = ['name', 'categoryId', 'status']
const categories = new Set<unknown>([1n, 2n, 3n, 4n])
const readName = (body: JsonObject): string => (typeof body.name === 'string' ? body.name : '')

/** The MUST rules that need a creation. */
const creationRules = idsIn('CREATE', ...Array.from({ length: 22 }, (_, n) => n + 1), 24, 25, 26, 28)
/** The MUST rules that need an animal. */
const animalRules = catalogue
  .filter(({ id, level }) => level === 'MUST' && /^(?:LIST|GET|CREATE)-/.test(id))
  .map(({ id }) => id)
  .filter((id) => !idsIn('LIST', 1, 2, 3).includes(id))
const acceptedRules = creationRules.filter((id) => id !== 'CREATE-24')

/** Rejects creations with a valid key that meet a condition. */
const rejects = (status: number, when: When): Change => ({
  middleware: (request, next) => {
    const isRejected = isCreate(request) && findCaller(request) === mainKey && when(request)
    return isRejected ? replaced(next({ ...request, body: '' }), createErrorResponse(status)) : next(request)
  },
})
/** Rejects creations whose body meets a condition. */
const rejectsBody = (condition: (body: JsonObject) => boolean): Change => rejects(400, createsWith(condition))
const rejectsName = (condition: (name: string) => boolean): Change =>
  rejectsBody((body) => condition(readName(body)))
/** Changes every body that is an object before it reads it. */
const reads = (edit: ItemEdit<JsonObject>): Change => readAs(() => true, edit)
const inFormD = items(named((name) => name.normalize('NFD')))

/** Variants of what sections 2, 4.2 and 5 leave open about a creation. */
export const legalCreations: readonly Legal[] = allowedBy({
  'default status: creates an animal without a status': initially({ defaultStatus: undefined }),
  'default status: creates an animal as pending': initially({ defaultStatus: 'pending' }),
  'normal forms of names: stores names in the normal form D': on(
    200,
    (request) => isList(request) || isGet(request),
    inFormD,
  ),
  'normal forms of names: returns names in the normal form D': on(201, isCreate, inFormD),
  'normal forms of names: shows names in the normal form D in getPet only': on(200, isGet, inFormD),
  'limits on name: accepts only letters and spaces in a name': rejectsName((name) => /[^A-Za-z ]/.test(name)),
  'limits on name: normalizes names': reads((body) => ({
    ...body,
    ...(readName(body) && { name: readName(body).normalize('NFC') }),
  })),
  'limits on name: rejects names with backslashes, percent signs or a space at the end': rejectsName((name) =>
    /[\\%]| $/.test(name),
  ),
  'consistency: has a cache of unfiltered lists that expires after a second': {
    ...initially({ animals: seedAnimals(22) }),
    ...cached(1000),
  },
  'limits on name: rejects a name that exists': uniqueNames(),
  'categories: has four categories': rejectsBody(
    ({ categoryId }) => typeof categoryId === 'bigint' && !categories.has(categoryId),
  ),
  'categories: is empty and has the category that the suite is given': {
    categoryId: 7n,
    ...emptyWithCategory(7n),
  },
  'categories: has only categories that take no new animals': unproven(
    acceptedRules,
    rejectsBody(() => true),
  ),
  'categories: is empty and has no category that the suite could guess': unproven(
    animalRules,
    emptyWithCategory(7n),
  ),
  'scopes: allows the key to read only': unproven(acceptedRules, rejects(403, always)),
  'other media types: rejects a body without a JSON content type': rejects(
    415,
    ({ contentType = '' }) => !/^application\/json\b/.test(contentType),
  ),
  'unknown members: rejects unknown members': rejectsBody((body) =>
    Object.keys(body).some((name) => !declaredMembers.includes(name)),
  ),
  'unknown members: ignores an id in the body': reads({ id: undefined }),
  'the response to a creation: sends a Location': on(201, isCreate, headers({ location: '/v1/pets/1000' })),
  'a creation that is sent twice: returns the first response to a creation with the same Idempotency-Key':
    replaying(201),
  'a creation that is sent twice: rejects a creation with the same Idempotency-Key': replaying(409),
})

/** Returns the first response to each query of an unfiltered list until it expires, with the headers of a new one. */
function cached(ms: number): Omit<Change, 'prepare'> {
  const stored = new Map<string, { readonly body: string; readonly at: number }>()
  let first: World | undefined
  return {
    middleware: (request, next, world) => {
      if (first !== world) stored.clear()
      first = world
      const response = next(request)
      if (!isList(request) || request.query.status !== undefined || response.status !== 200) return response
      const [query, now] = [JSON.stringify(request.query), world.clock.now()]
      const known = stored.get(query)
      if (known !== undefined && known.at + ms > now) return { ...response, body: known.body }
      stored.set(query, { body: response.body, at: now })
      return response
    },
  }
}

/** Has no animals and one category. */
function emptyWithCategory(category: bigint): Change {
  return {
    ...initially({ animals: [] }),
    ...rejectsBody(({ categoryId }) => typeof categoryId === 'bigint' && categoryId !== category),
  }
}

/** Rejects a name that was sent before. */
function uniqueNames(): Change {
  const used = new Set<string>()
  return {
    prepare: () => used.clear(),
    ...rejectsName((name) => name !== '' && used.size === used.add(name).size),
  }
}

/** Responds in another way to a creation whose `Idempotency-Key` came before. */
function replaying(status: 201 | 409): Change {
  const first = new Map<string, ApiResponse>()
  return {
    prepare: () => first.clear(),
    middleware: (request, next) => {
      const { idempotencyKey = '' } = request
      const known = first.get(idempotencyKey)
      if (known !== undefined) {
        return replaced(next({ ...request, body: '' }), status === 201 ? known : createErrorResponse(status))
      }
      const response = next(request)
      if (idempotencyKey !== '') first.set(idempotencyKey, response)
      return response
    },
  }
}
