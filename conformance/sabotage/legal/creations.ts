import {
  always,
  createsWith,
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
  type When,
} from '../change.ts'
import type { Change } from '../deployment.ts'
import { type ApiResponse, callerOf, errorResponse } from '../exchange.ts'
import type { JsonObject } from '../json.ts'
import { allowedBy, idsIn, type Legal, unproven } from '../variant.ts'
import { mainKey } from '../world.ts'

const declaredMembers = ['name', 'categoryId', 'status']
const categories = new Set<unknown>([1n, 2n, 3n, 4n])
const nameOf = (body: JsonObject): string => (typeof body.name === 'string' ? body.name : '')

/** The MUST rules that need a creation. */
const creationRules = idsIn('CREATE', ...Array.from({ length: 22 }, (_, n) => n + 1), 24, 25, 26, 28)
const acceptedRules = creationRules.filter((id) => id !== 'CREATE-24')

/** Rejects creations with a valid key that meet a condition. */
const rejects = (status: number, when: When): Change => ({
  middleware: (request, next) => {
    const isRejected = isCreate(request) && callerOf(request) === mainKey && when(request)
    return isRejected ? replaced(next({ ...request, body: '' }), errorResponse(status)) : next(request)
  },
})
/** Rejects creations whose body meets a condition. */
const rejectsBody = (condition: (body: JsonObject) => boolean): Change => rejects(400, createsWith(condition))
const rejectsName = (condition: (name: string) => boolean): Change =>
  rejectsBody((body) => condition(nameOf(body)))
/** Reads every body that is an object as another. */
const reads = (edit: ItemEdit<JsonObject>): Change => readAs(() => true, edit)
const inFormD = items(named((name) => name.normalize('NFD')))

/** Variants of what sections 2, 4.2 and 5 leave open about a creation. */
export const legalCreations: readonly Legal[] = allowedBy({
  'default status': {
    'creates an animal without a status': initially({ defaultStatus: undefined }),
    'creates an animal as pending': initially({ defaultStatus: 'pending' }),
    'creates an animal as sold': initially({ defaultStatus: 'sold' }),
  },
  'normal forms of names': {
    'stores names in the normal form D': on(200, (request) => isList(request) || isGet(request), inFormD),
    'returns names in the normal form D': on(201, isCreate, inFormD),
    'shows names in the normal form D in getPet only': on(200, isGet, inFormD),
  },
  'limits on name': {
    'accepts only letters and spaces in a name': rejectsName((name) => /[^A-Za-z ]/.test(name)),
    'accepts names of at most 20 characters': rejectsName((name) => name.length > 20),
    'accepts names of at most 12 characters': rejectsName((name) => name.length > 12),
    'rejects U+0000 in a name': rejectsName((name) => name.includes('\0')),
    'normalizes names and trims white space': reads((body) => ({
      ...body,
      ...(nameOf(body) && { name: nameOf(body).normalize('NFC').trim() }),
    })),
    'rejects a name that exists': uniqueNames(),
  },
  categories: {
    'has four categories': rejectsBody(
      ({ categoryId }) => typeof categoryId === 'bigint' && !categories.has(categoryId),
    ),
    'is empty and has the category that the suite is given': { categoryId: 7n, ...emptyWithCategory(7n) },
    'has only categories that take no new animals': unproven(
      acceptedRules,
      rejectsBody(() => true),
    ),
    'is empty and has no category that the suite could guess': unproven(
      [
        ...idsIn('LIST', 4, 5, 6, 8, 9, 10, 12, 13, 14, 15, 16, 18, 20),
        ...idsIn('GET', 1, 2, 3, 4, 6, 10),
        ...creationRules,
      ],
      emptyWithCategory(7n),
    ),
  },
  scopes: {
    'allows the key to read only': unproven(acceptedRules, rejects(403, always)),
  },
  'other media types': {
    'rejects a body without a JSON content type': rejects(
      415,
      ({ contentType = '' }) => !/^application\/json\b/.test(contentType),
    ),
  },
  'unknown members': {
    'rejects unknown members': rejectsBody((body) =>
      Object.keys(body).some((name) => !declaredMembers.includes(name)),
    ),
    'rejects a body with an id': rejectsBody((body) => 'id' in body),
    'ignores an id in the body': reads({ id: undefined }),
  },
  'the response to a creation': {
    'sends a Location': on(201, isCreate, headers({ location: '/v1/pets/1000' })),
  },
  'error codes': {
    'has one error code for every invalid body': on(400, isCreate, errorResponse(400, 'invalid')),
  },
  'a creation that is sent twice': {
    'returns the first response to a creation with the same Idempotency-Key': replaying(201),
    'rejects a creation with the same Idempotency-Key': replaying(409),
  },
})

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
        return replaced(next({ ...request, body: '' }), status === 201 ? known : errorResponse(status))
      }
      const response = next(request)
      if (idempotencyKey !== '') first.set(idempotencyKey, response)
      return response
    },
  }
}
