import {
  createsWith,
  editItems,
  editRequest,
  editResponseWith,
  isCreate,
  isGet,
  isList,
  setHeaders,
  type When,
  withAnimals,
} from '../change.ts'
import type { Change } from '../deployment.ts'
import { requestJson, withBody, without } from '../edit.ts'
import { isObject, type JsonObject } from '../json.ts'
import { type Broken, brokenBy } from '../variant.ts'
import { seedAnimals } from '../world.ts'

/** Reads the bodies that meet a condition as others. */
const readAs = (when: (body: JsonObject) => boolean, edit: (body: JsonObject) => JsonObject): Change =>
  editRequest(createsWith(when), (request) => withBody(request, edit))

/** Reads every name as another. */
const readNameAs = (edit: (name: string) => string): Change =>
  readAs(
    ({ name }) => typeof name === 'string',
    (body) => ({ ...body, name: edit(String(body.name)) }),
  )

/** Changes the Pet that a creation returns. */
const created = (edit: (pet: JsonObject) => JsonObject): Change => editItems([201], isCreate, edit)

const isPet = createsWith((body) => typeof body.name === 'string' && typeof body.categoryId === 'bigint')

/** Stores the animals of the requests that it rejects with a status: of all, or of some. */
const storing = (rejected: number, when = isCreate): Change => ({
  middleware(request, next, world) {
    const body = requestJson(request)
    const response = next(request)
    if (response.status !== rejected || !when(request) || !isObject(body) || typeof body.name !== 'string')
      return response
    world.animals.push({ id: world.nextId, name: body.name, categoryId: 1n, status: 'available' })
    world.nextId += 1n
    return response
  },
})

const escapeHtml = (text: string): string => text.replace(/[&<"']/g, (mark) => `&#${mark.charCodeAt(0)};`)

/** Makes a body invalid, so that the reference rejects it. */
const withoutName = (body: JsonObject): JsonObject => without(body, 'name')

const reading: When = (request) => isList(request) || isGet(request)

/** Changes animals in every page and in every response of getPet, but not in the response that creates them. */
const later = (edit: (pet: JsonObject) => JsonObject): Change => editItems([200], reading, edit)

const isNew = ({ name }: JsonObject): boolean => typeof name === 'string' && name.startsWith('Test')

/** Variants that break sections 2, 3 and 4.2 with a valid body. */
export const brokenCreates: readonly Broken[] = brokenBy({
  'CREATE-1': {
    'responds to a creation with 200': editResponseWith([201], isCreate, (response) => ({
      ...response,
      status: 200,
    })),
    'rejects every creation': {
      categoryId: 1n,
      ...editRequest(isCreate, (request) => ({ ...request, body: '{}' })),
    },
  },
  'CREATE-2': {
    'creates without returning the id': created((pet) => without(pet, 'id')),
    'returns the id of a created animal as a string': created((pet) => ({ ...pet, id: String(pet.id) })),
    'responds to a creation without a body': editResponseWith([201], isCreate, (response) => ({
      ...response,
      body: '',
    })),
  },
  'CREATE-3': {
    'returns another name than was sent': created((pet) => ({ ...pet, name: `${pet.name} ` })),
    'returns another category than was sent': created((pet) => ({ ...pet, categoryId: 9n })),
  },
  'CREATE-4': {
    'rejects the status pending': readAs(({ status }) => status === 'pending', withoutName),
    'creates every animal as available': readAs(
      ({ status }) => status === 'sold' || status === 'pending',
      (body) => ({ ...body, status: 'available' }),
    ),
  },
  'CREATE-5': {
    'requires a status': readAs((body) => !('status' in body), withoutName),
    'returns a null status': {
      prepare: (world) => {
        world.defaultStatus = undefined
      },
      ...created((pet) => ({ status: null, ...pet })),
    },
  },
  'CREATE-6': {
    'returns the id of a listed animal for every creation': {
      alsoBreaks: ['CREATE-7', 'CREATE-26', 'CREATE-28'],
      ...created((pet) => ({ ...pet, id: 3n })),
    },
  },
  'CREATE-7': {
    'never serves a created animal': editRequest(
      (request) => /^\d{4}$/.test(request.petId),
      (request) => ({ ...request, petId: '0' }),
    ),
    'serves a created animal under another name': {
      alsoBreaks: ['CREATE-26'],
      ...editItems(
        [200],
        (request) => /^\d{4}$/.test(request.petId),
        (pet) => ({ ...pet, name: 'Rex' }),
      ),
    },
  },
  'CREATE-8': {
    'leaves created animals out of filtered lists': {
      middleware: (request, next, world) => {
        const { animals } = world
        if (request.query.status !== undefined) world.animals = animals.filter(({ id }) => id < 1000n)
        const response = next(request)
        if (request.query.status !== undefined) world.animals = animals
        return response
      },
    },
  },
  'CREATE-21': {
    'stores categories as doubles': readAs(
      ({ categoryId }) => typeof categoryId === 'bigint' && BigInt.asIntN(64, categoryId) === categoryId,
      (body) => ({ ...body, categoryId: BigInt(Number(body.categoryId)) }),
    ),
    'rejects categories that a double cannot hold': readAs(
      ({ categoryId }) => categoryId === 9007199254740993n,
      withoutName,
    ),
  },
  'CREATE-22': {
    'stores names in ASCII': readNameAs((name) => name.replace(/[^ -~]/g, '?')),
    'drops characters beyond the basic multilingual plane': readNameAs((name) =>
      name.replace(/[\u{10000}-\u{10ffff}]/gu, ''),
    ),
  },
  'CREATE-23': {
    'takes the id from the body': {
      middleware: (request, next, world) => {
        const body = requestJson(request)
        if (isObject(body) && typeof body.id === 'bigint') world.nextId = body.id
        return next(request)
      },
    },
  },
  'CREATE-24': {
    'stores what it rejects': storing(400),
    'stores what it rejects for want of a key': { ...withAnimals(seedAnimals(22)), ...storing(401) },
    'stores a valid animal before it looks up the key': {
      ...withAnimals(seedAnimals(22)),
      ...storing(401, (request) => request.authorization !== undefined && isPet(request)),
    },
  },
  'CREATE-25': {
    'labels the response to a creation as plain text': setHeaders([201], isCreate, {
      'content-type': 'text/plain',
    }),
  },
  'CREATE-26': {
    'stores the names of new animals in upper case': {
      alsoBreaks: ['CREATE-7'],
      ...later((pet) => (isNew(pet) ? { ...pet, name: String(pet.name).toUpperCase() } : pet)),
    },
    'stores every categoryId as a double': later((pet) => ({
      ...pet,
      categoryId: BigInt(Number(pet.categoryId)),
    })),
  },
  'CREATE-28': {
    'escapes the names of new animals for HTML on pages': {
      alsoBreaks: ['CREATE-26'],
      ...editItems([200], isList, (pet) => ({ ...pet, name: String(pet.name).replace(/&/g, '&amp;') })),
    },
    'escapes names for HTML in the response to a creation': created((pet) => ({
      ...pet,
      name: escapeHtml(String(pet.name)),
    })),
    'stores names without quotes': readNameAs((name) => name.replace(/["']/g, '')),
  },
})
