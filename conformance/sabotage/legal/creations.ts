import {
  always,
  editItems,
  editRequest,
  isCreate,
  isGet,
  isList,
  replaceResponse,
  setHeaders,
  type When,
  withAnimals,
} from '../change.ts'
import type { Change } from '../deployment.ts'
import { hasJsonBody, replaced, withBody, without } from '../edit.ts'
import { callerOf, errorResponse } from '../exchange.ts'
import type { JsonObject } from '../json.ts'
import { allowedBy, idsIn, type Legal } from '../variant.ts'
import { mainKey } from '../world.ts'

const declaredMembers = ['name', 'categoryId', 'status']

/** Rejects creations whose body meets a condition. */
const rejectBody = (status: number, condition: (body: JsonObject) => boolean): Change =>
  rejectCreation(status, (request) => hasJsonBody(request, condition))

const rejectCreation = (status: number, when: When): Change => ({
  middleware: (request, next) => {
    const isRejected = isCreate(request) && callerOf(request) === mainKey && when(request)
    return isRejected ? replaced(next({ ...request, body: '' }), errorResponse(status)) : next(request)
  },
})

const defaultsTo = (status: string | undefined): Change => ({
  prepare: (world) => {
    world.defaultStatus = status
  },
})

const categories = new Set<unknown>([1n, 2n, 3n, 4n])
const nameOf = (body: JsonObject): string => (typeof body.name === 'string' ? body.name : '')

/** The MUST rules that need a creation. */
const creationRules = idsIn('CREATE', ...Array.from({ length: 22 }, (_, n) => n + 1), 24, 25, 26, 28)

/** Variants of what sections 2, 4.2 and 5 leave open about a creation. */
export const legalCreations: readonly Legal[] = allowedBy({
  'default status': {
    'creates an animal without a status': defaultsTo(undefined),
    'creates an animal as pending': defaultsTo('pending'),
    'creates an animal as sold': defaultsTo('sold'),
  },
  'normal forms of names': {
    'stores names in the normal form D': editItems(
      [200],
      (request) => isList(request) || isGet(request),
      (pet) => ({ ...pet, name: String(pet.name).normalize('NFD') }),
    ),
    'returns names in the normal form D': editItems([201], isCreate, (pet) => ({
      ...pet,
      name: String(pet.name).normalize('NFD'),
    })),
    'shows names in the normal form D in getPet only': editItems([200], isGet, (pet) => ({
      ...pet,
      name: String(pet.name).normalize('NFD'),
    })),
  },
  'limits on name': {
    'accepts only letters and spaces in a name': rejectBody(400, (body) => /[^A-Za-z ]/.test(nameOf(body))),
    'accepts names of at most 20 characters': rejectBody(400, (body) => nameOf(body).length > 20),
    'accepts names of at most 12 characters': rejectBody(400, (body) => nameOf(body).length > 12),
    'rejects U+0000 in a name': rejectBody(400, (body) => nameOf(body).includes('\0')),
    'normalizes names and trims white space': editRequest(isCreate, (request) =>
      withBody(request, (body) => ({
        ...body,
        ...(nameOf(body) && { name: nameOf(body).normalize('NFC').trim() }),
      })),
    ),
    'rejects a name that exists': uniqueNames(),
  },
  categories: {
    'has four categories': rejectBody(
      400,
      ({ categoryId }) => typeof categoryId === 'bigint' && !categories.has(categoryId),
    ),
    'is empty and has the category that the suite is given': { categoryId: 7n, ...emptyWithCategory(7n) },
    'has only categories that take no new animals': {
      unproven: creationRules.filter((id) => id !== 'CREATE-24'),
      ...rejectBody(400, () => true),
    },
    'is empty and has no category that the suite could guess': {
      unproven: [
        ...idsIn('LIST', 4, 5, 6, 8, 9, 10, 12, 13, 14, 15, 16, 18, 20),
        ...idsIn('GET', 1, 2, 3, 4, 6, 10),
        ...creationRules,
      ],
      ...emptyWithCategory(7n),
    },
  },
  scopes: {
    'allows the key to read only': {
      unproven: creationRules.filter((id) => id !== 'CREATE-24'),
      ...rejectCreation(403, always),
    },
  },
  'other media types': {
    'rejects a body without a JSON content type': rejectCreation(
      415,
      (request) => !/^application\/json\b/.test(request.contentType ?? ''),
    ),
  },
  'unknown members': {
    'rejects unknown members': rejectBody(400, (body) =>
      Object.keys(body).some((name) => !declaredMembers.includes(name)),
    ),
    'rejects a body with an id': rejectBody(400, (body) => 'id' in body),
    'ignores an id in the body': editRequest(isCreate, (request) =>
      withBody(request, (body) => without(body, 'id')),
    ),
  },
  'the response to a creation': {
    'sends a Location': setHeaders([201], isCreate, { location: '/v1/pets/1000' }),
  },
  'error codes': {
    'has one error code for every invalid body': replaceResponse(
      [400],
      isCreate,
      errorResponse(400, 'invalid'),
    ),
  },
})

/** Has no animals and one category. */
function emptyWithCategory(category: bigint): Change {
  return {
    ...withAnimals([]),
    ...rejectBody(400, ({ categoryId }) => typeof categoryId === 'bigint' && categoryId !== category),
  }
}

/** Rejects a name that was sent before. */
function uniqueNames(): Change {
  const used = new Set<string>()
  return {
    prepare: () => used.clear(),
    ...rejectBody(400, (body) => {
      const name = nameOf(body)
      return name !== '' && used.size === used.add(name).size
    }),
  }
}
