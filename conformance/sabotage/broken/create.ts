import {
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
  requestJson,
  status,
  type When,
} from '../change.ts'
import type { Change } from '../deployment.ts'
import { isObject, type JsonObject } from '../json.ts'
import { also, type Broken, brokenBy } from '../variant.ts'
import { seedAnimals } from '../world.ts'

/** Reads every name as another. */
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
  'CREATE-1': {
    'responds to a creation with 200': on(201, isCreate, status(200)),
    'rejects every creation': { categoryId: 1n, ...editRequest(isCreate, { body: '{}' }) },
  },
  'CREATE-2': {
    'creates without returning the id': created({ id: undefined }),
    'returns the id of a created animal as a string': created((pet) => ({ ...pet, id: String(pet.id) })),
    'responds to a creation without a body': on(201, isCreate, body('')),
  },
  'CREATE-3': {
    'returns another name than was sent': created(named((name) => `${name} `)),
    'returns another category than was sent': created({ categoryId: 9n }),
  },
  'CREATE-4': {
    'rejects the status pending': readAs(({ status }) => status === 'pending', nameless),
    'creates every animal as available': readAs(({ status }) => status === 'sold' || status === 'pending', {
      status: 'available',
    }),
  },
  'CREATE-5': {
    'requires a status': readAs((pet) => !('status' in pet), nameless),
    'returns a null status': {
      ...initially({ defaultStatus: undefined }),
      ...created((pet) => ({ status: null, ...pet })),
    },
  },
  'CREATE-6': {
    'returns the id of a listed animal for every creation': also(
      ['CREATE-7', 'CREATE-26', 'CREATE-28'],
      created({ id: 3n }),
    ),
  },
  'CREATE-7': {
    'never serves a created animal': editRequest(isGetOfNew, { petId: '0' }),
    'serves a created animal under another name': also(
      'CREATE-26',
      on(200, isGetOfNew, items({ name: 'Rex' })),
    ),
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
      asDouble,
    ),
    'rejects categories that a double cannot hold': readAs(
      ({ categoryId }) => categoryId === 9007199254740993n,
      nameless,
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
        const pet = requestJson(request)
        if (isObject(pet) && typeof pet.id === 'bigint') world.nextId = pet.id
        return next(request)
      },
    },
  },
  'CREATE-24': {
    'stores what it rejects': storing(400),
    'stores what it rejects for want of a key': {
      ...initially({ animals: seedAnimals(22) }),
      ...storing(401),
    },
    'stores a valid animal before it looks up the key': {
      ...initially({ animals: seedAnimals(22) }),
      ...storing(401, (request) => request.authorization !== undefined && isPet(request)),
    },
  },
  'CREATE-25': {
    'labels the response to a creation as plain text': on(
      201,
      isCreate,
      headers({ 'content-type': 'text/plain' }),
    ),
  },
  'CREATE-26': {
    'stores the names of new animals in upper case': also(
      'CREATE-7',
      later((pet) => (isNew(pet) ? { ...pet, name: String(pet.name).toUpperCase() } : pet)),
    ),
    'stores every categoryId as a double': later(asDouble),
  },
  'CREATE-28': {
    'escapes the names of new animals for HTML on pages': also(
      'CREATE-26',
      on(200, isList, items(named((name) => name.replace(/&/g, '&amp;')))),
    ),
    'escapes names for HTML in the response to a creation': created(named(escapeHtml)),
    'stores names without quotes': readNameAs((name) => name.replace(/["']/g, '')),
  },
})
