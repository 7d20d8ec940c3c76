import {
  always,
  editRequest,
  isCreate,
  replaceResponse,
  setHeaders,
  type When,
  withAnimals,
} from '../change.ts'
import type { Change } from '../deployment.ts'
import { hasJsonBody, replaced, withBody, without } from '../edit.ts'
import { callerOf, errorResponse } from '../exchange.ts'
import type { JsonObject } from '../json.ts'
import { idsIn, type Legal } from '../variant.ts'
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
export const legalCreations: readonly Legal[] = [
  { gap: 'default status', does: 'creates an animal without a status', change: defaultsTo(undefined) },
  { gap: 'default status', does: 'creates an animal as pending', change: defaultsTo('pending') },
  { gap: 'default status', does: 'creates an animal as sold', change: defaultsTo('sold') },
  {
    gap: 'limits on name',
    does: 'accepts only letters and spaces in a name',
    change: rejectBody(400, (body) => /[^A-Za-z ]/.test(nameOf(body))),
  },
  {
    gap: 'limits on name',
    does: 'accepts names of at most 20 characters',
    change: rejectBody(400, (body) => nameOf(body).length > 20),
  },
  {
    gap: 'limits on name',
    does: 'accepts names of at most 12 characters',
    change: rejectBody(400, (body) => nameOf(body).length > 12),
  },
  {
    gap: 'limits on name',
    does: 'rejects U+0000 in a name',
    change: rejectBody(400, (body) => nameOf(body).includes('\0')),
  },
  {
    gap: 'limits on name',
    does: 'normalizes names and trims white space',
    change: editRequest(isCreate, (request) =>
      withBody(request, (body) => ({
        ...body,
        ...(nameOf(body) && { name: nameOf(body).normalize('NFC').trim() }),
      })),
    ),
  },
  { gap: 'limits on name', does: 'rejects a name that exists', change: uniqueNames() },
  {
    gap: 'categories',
    does: 'has four categories',
    change: rejectBody(
      400,
      ({ categoryId }) => typeof categoryId === 'bigint' && !categories.has(categoryId),
    ),
  },
  {
    gap: 'categories',
    does: 'is empty and has the category that the suite is given',
    categoryId: 7n,
    change: emptyWithCategory(7n),
  },
  {
    gap: 'categories',
    does: 'has only categories that take no new animals',
    unproven: creationRules.filter((id) => id !== 'CREATE-24'),
    change: rejectBody(400, () => true),
  },
  {
    gap: 'categories',
    does: 'is empty and has no category that the suite could guess',
    unproven: [
      ...idsIn('LIST', 4, 5, 6, 8, 9, 10, 12, 13, 14, 15, 16, 18, 20),
      ...idsIn('GET', 1, 2, 3, 4, 6, 10),
      ...creationRules,
    ],
    change: emptyWithCategory(7n),
  },
  {
    gap: 'scopes',
    does: 'allows the key to read only',
    unproven: creationRules.filter((id) => id !== 'CREATE-24'),
    change: rejectCreation(403, always),
  },
  {
    gap: 'other media types',
    does: 'rejects a body without a JSON content type',
    change: rejectCreation(415, (request) => !/^application\/json\b/.test(request.contentType ?? '')),
  },
  {
    gap: 'unknown members',
    does: 'rejects unknown members',
    change: rejectBody(400, (body) => Object.keys(body).some((name) => !declaredMembers.includes(name))),
  },
  {
    gap: 'unknown members',
    does: 'rejects a body with an id',
    change: rejectBody(400, (body) => 'id' in body),
  },
  {
    gap: 'unknown members',
    does: 'ignores an id in the body',
    change: editRequest(isCreate, (request) => withBody(request, (body) => without(body, 'id'))),
  },
  {
    gap: 'the response to a creation',
    does: 'sends a Location',
    change: setHeaders([201], isCreate, { location: '/v1/pets/1000' }),
  },
  {
    gap: 'error codes',
    does: 'has one error code for every invalid body',
    change: replaceResponse([400], isCreate, errorResponse(400, 'invalid')),
  },
]

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
