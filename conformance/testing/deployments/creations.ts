import { catalogue } from '../../rules/catalogue.ts'
import {
  editItems,
  editName,
  editOn,
  editRequest,
  everyRequest,
  type ItemEdit,
  isCreate,
  isCreateWith,
  isGet,
  isList,
  readBodyAs,
  readRequestJson,
  replaceResponse,
  setBody,
  setHeaders,
  setStatus,
  startWith,
  toDouble,
  type When,
} from './change.ts'
import type { Change } from './deployment.ts'
import { type ApiResponse, createErrorResponse, findCaller } from './exchange.ts'
import { isObject, type JsonObject } from './json.ts'
import {
  addBrokenRules,
  addUnprovenRules,
  type BrokenDeployment,
  createBroken,
  createLegal,
  type LegalDeployment,
  listFamilyIds,
} from './variant.ts'
import { mainKey, seedAnimals, type World } from './world.ts'

const changeNameInBody = (edit: (name: string) => string): Change =>
  readBodyAs(({ name }) => typeof name === 'string', editName(edit))

const editCreatedPet = (edit: ItemEdit): Change => editOn(201, isCreate, editItems(edit))

const editServedPets = (edit: ItemEdit): Change =>
  editOn(200, (request) => isList(request) || isGet(request), editItems(edit))

/** Stores the animal of a creation that is rejected with this status. */
const storeRejectedCreation = (rejected: number, when = isCreate): Change => ({
  middleware(request, next, world) {
    const pet = readRequestJson(request)
    const response = next(request)
    if (response.status === rejected && when(request) && isObject(pet) && typeof pet.name === 'string') {
      world.animals.push({ id: world.nextId, name: pet.name, categoryId: 1n, status: 'available' })
      world.nextId += 1n
    }
    return response
  },
})

const isPet = isCreateWith((pet) => typeof pet.name === 'string' && typeof pet.categoryId === 'bigint')
const isGetOfNew: When = ({ petId }) => /^\d{4}$/.test(petId)
const isNew = ({ name }: JsonObject): boolean => typeof name === 'string' && name.startsWith('Test')
const escapeHtml = (text: string): string => text.replace(/[&<"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
const removedName = { name: undefined }

/** Deployments that break rules about creations. */
export const brokenCreateDeployments: readonly BrokenDeployment[] = createBroken({
  'CREATE-1: returns 200 for a creation': editOn(201, isCreate, setStatus(200)),
  'CREATE-2: returns the ID of a created animal as a string': editCreatedPet((pet) => ({
    ...pet,
    id: String(pet.id),
  })),
  'CREATE-2: returns an empty body for a creation': editOn(201, isCreate, setBody('')),
  'CREATE-3: returns a different name than the request has': editCreatedPet(editName((name) => `${name} `)),
  'CREATE-3: returns a different categoryId than the request has': editCreatedPet({ categoryId: 9n }),
  'CREATE-4: rejects a creation with the status pending': readBodyAs(
    ({ status }) => status === 'pending',
    removedName,
  ),
  'CREATE-4: creates every animal with the status available': readBodyAs(
    ({ status }) => status === 'sold' || status === 'pending',
    {
      status: 'available',
    },
  ),
  'CREATE-5: rejects a creation without a status': readBodyAs((pet) => !('status' in pet), removedName),
  'CREATE-5: returns a null status for a creation without a status': {
    ...startWith({ defaultStatus: undefined }),
    ...editCreatedPet((pet) => ({ status: null, ...pet })),
  },
  'CREATE-6: returns the ID of another animal for every creation': addBrokenRules(
    ['CREATE-7', 'CREATE-26', 'CREATE-28', 'CREATE-29'],
    editCreatedPet({ id: 3n }),
  ),
  'CREATE-7: returns 404 for every created animal': editRequest(isGetOfNew, { petId: '0' }),
  'CREATE-7: serves a created animal under a different name': addBrokenRules(
    'CREATE-26',
    editOn(200, isGetOfNew, editItems({ name: 'Rex' })),
  ),
  'CREATE-8: omits created animals from filtered lists': {
    middleware: (request, next, world) => {
      const { animals } = world
      if (request.query.status !== undefined) world.animals = animals.filter(({ id }) => id < 1000n)
      const response = next(request)
      if (request.query.status !== undefined) world.animals = animals
      return response
    },
  },
  'CREATE-8: caches unfiltered lists forever': {
    ...startWith({ animals: seedAnimals(22) }),
    ...cacheLists(Number.POSITIVE_INFINITY),
  },
  'CREATE-21: stores each categoryId as a double': readBodyAs(
    ({ categoryId }) => typeof categoryId === 'bigint' && BigInt.asIntN(64, categoryId) === categoryId,
    toDouble,
  ),
  'CREATE-21: rejects a categoryId that a double cannot represent': readBodyAs(
    ({ categoryId }) => categoryId === 9007199254740993n,
    removedName,
  ),
  'CREATE-22: replaces non-ASCII characters in names with question marks': changeNameInBody((name) =>
    name.replace(/[^ -~]/g, '?'),
  ),
  'CREATE-23: uses the id in the request body for the created animal': {
    middleware: (request, next, world) => {
      const pet = readRequestJson(request)
      if (isObject(pet) && typeof pet.id === 'bigint') world.nextId = pet.id
      return next(request)
    },
  },
  'CREATE-24: stores the animal of a creation that it rejects': storeRejectedCreation(400),
  'CREATE-24: stores the animal before it checks the API key': {
    ...startWith({ animals: seedAnimals(22) }),
    ...storeRejectedCreation(401, (request) => request.authorization !== undefined && isPet(request)),
  },
  'CREATE-25: sends creation responses with the content type text/plain': editOn(
    201,
    isCreate,
    setHeaders({ 'content-type': 'text/plain' }),
  ),
  'CREATE-26: serves created animals with names in capitals': addBrokenRules(
    'CREATE-7',
    editServedPets((pet) => (isNew(pet) ? { ...pet, name: String(pet.name).toUpperCase() } : pet)),
  ),
  'CREATE-26: serves every categoryId rounded to a double': editServedPets(toDouble),
  'CREATE-28: escapes names for HTML in lists': addBrokenRules(
    'CREATE-26',
    editOn(200, isList, editItems(editName((name) => name.replace(/&/g, '&amp;')))),
  ),
  'CREATE-28: removes spaces around names': changeNameInBody((name) => name.trim()),
  'CREATE-28: decodes percent-encoded characters in names': changeNameInBody((name) =>
    name.replace('%41', 'A'),
  ),
  'CREATE-28: removes backslashes from names': changeNameInBody((name) => name.replace('\\', '')),
  'CREATE-28: escapes names for HTML in creation responses': editCreatedPet(editName(escapeHtml)),
})

const declaredMembers = ['name', 'categoryId', 'status']
const acceptedCategories = new Set<unknown>([1n, 2n, 3n, 4n])
const readName = (body: JsonObject): string => (typeof body.name === 'string' ? body.name : '')

const creationRules = listFamilyIds(
  'CREATE',
  ...Array.from({ length: 22 }, (_, n) => n + 1),
  24,
  25,
  26,
  28,
  29,
)
/** Rules that are inconclusive if no animal can be listed or created. */
const animalRules = catalogue
  .filter(({ id, level }) => level === 'MUST' && /^(?:LIST|GET|CREATE)-/.test(id))
  .map(({ id }) => id)
  .filter((id) => !listFamilyIds('LIST', 1, 2, 3).includes(id))
const rulesForAcceptedCreations = creationRules.filter((id) => id !== 'CREATE-24')

/** Rejects creations with the main key. */
const rejectCreations = (status: number, when: When): Change => ({
  middleware: (request, next) => {
    const isRejected = isCreate(request) && findCaller(request) === mainKey && when(request)
    return isRejected
      ? replaceResponse(next({ ...request, body: '' }), createErrorResponse(status))
      : next(request)
  },
})
const rejectBodies = (condition: (body: JsonObject) => boolean): Change =>
  rejectCreations(400, isCreateWith(condition))
const rejectNames = (condition: (name: string) => boolean): Change =>
  rejectBodies((body) => condition(readName(body)))
const changeBody = (edit: ItemEdit<JsonObject>): Change => readBodyAs(() => true, edit)
const normalizeToNfd = editItems(editName((name) => name.normalize('NFD')))

/** Deployments that conform, with choices about creations that the interface leaves open. */
export const legalCreateDeployments: readonly LegalDeployment[] = createLegal({
  'default status: creates animals without a status': startWith({ defaultStatus: undefined }),
  'default status: creates pending animals by default': startWith({ defaultStatus: 'pending' }),
  'Unicode normalization: serves stored names in NFD': editOn(
    200,
    (request) => isList(request) || isGet(request),
    normalizeToNfd,
  ),
  'Unicode normalization: returns names in NFD from createPet only': editOn(201, isCreate, normalizeToNfd),
  'Unicode normalization: returns names in NFD from getPet only': editOn(200, isGet, normalizeToNfd),
  'allowed names: accepts only letters and spaces': rejectNames((name) => /[^A-Za-z ]/.test(name)),
  'Unicode normalization: stores names in NFC': changeBody((body) => ({
    ...body,
    ...(readName(body) && { name: readName(body).normalize('NFC') }),
  })),
  'allowed names: rejects backslashes, percent signs and trailing spaces': rejectNames((name) =>
    /[\\%]| $/.test(name),
  ),
  'eventual consistency: caches unfiltered lists for one second': {
    ...startWith({ animals: seedAnimals(22) }),
    ...cacheLists(1000),
  },
  'allowed names: rejects a name that is already used': requireUniqueNames(),
  'categories: accepts only four categories': rejectBodies(
    ({ categoryId }) => typeof categoryId === 'bigint' && !acceptedCategories.has(categoryId),
  ),
  'categories: accepts only the category in --category-id': {
    categoryId: 7n,
    ...listNothingWithCategory(7n),
  },
  'categories: rejects creations in every category': addUnprovenRules(
    rulesForAcceptedCreations,
    rejectBodies(() => true),
  ),
  'categories: lists no animals and accepts only category 7': addUnprovenRules(
    animalRules,
    listNothingWithCategory(7n),
  ),
  'key scopes: returns 403 for every createPet request': addUnprovenRules(
    rulesForAcceptedCreations,
    rejectCreations(403, everyRequest),
  ),
  'media types: rejects a body whose content type is not JSON': rejectCreations(
    415,
    ({ contentType = '' }) => !/^application\/json\b/.test(contentType),
  ),
  'unknown body members: rejects a body with unknown members': rejectBodies((body) =>
    Object.keys(body).some((name) => !declaredMembers.includes(name)),
  ),
  'unknown body members: ignores an id in the body': changeBody({ id: undefined }),
  'creation responses: sends a Location header': editOn(
    201,
    isCreate,
    setHeaders({ location: '/v1/pets/1000' }),
  ),
  'repeated Idempotency-Key: replays the first response': replayCreations(201),
  'repeated Idempotency-Key: returns 409': replayCreations(409),
})

/** Caches unfiltered lists for `ms` milliseconds. */
function cacheLists(ms: number): Omit<Change, 'prepare'> {
  const cachedLists = new Map<string, { readonly body: string; readonly at: number }>()
  let first: World | undefined
  return {
    middleware: (request, next, world) => {
      if (first !== world) cachedLists.clear()
      first = world
      const response = next(request)
      if (!isList(request) || request.query.status !== undefined || response.status !== 200) return response
      const [query, now] = [JSON.stringify(request.query), world.clock.now()]
      const known = cachedLists.get(query)
      if (known !== undefined && known.at + ms > now) return { ...response, body: known.body }
      cachedLists.set(query, { body: response.body, at: now })
      return response
    },
  }
}

/** Lists no animals, and accepts a single category. */
function listNothingWithCategory(category: bigint): Change {
  return {
    ...startWith({ animals: [] }),
    ...rejectBodies(({ categoryId }) => typeof categoryId === 'bigint' && categoryId !== category),
  }
}

function requireUniqueNames(): Change {
  const usedNames = new Set<string>()
  return {
    prepare: () => usedNames.clear(),
    ...rejectNames((name) => name !== '' && usedNames.size === usedNames.add(name).size),
  }
}

/** Responds to a repeated `Idempotency-Key` with the first response or with a 409. */
function replayCreations(status: 201 | 409): Change {
  const first = new Map<string, ApiResponse>()
  return {
    prepare: () => first.clear(),
    middleware: (request, next) => {
      const { idempotencyKey = '' } = request
      const known = first.get(idempotencyKey)
      if (known !== undefined) {
        return replaceResponse(
          next({ ...request, body: '' }),
          status === 201 ? known : createErrorResponse(status),
        )
      }
      const response = next(request)
      if (idempotencyKey !== '') first.set(idempotencyKey, response)
      return response
    },
  }
}
