import {
  editItems,
  editRequest,
  editResponseWith,
  isGet,
  isList,
  isMalformedGet,
  replaceResponse,
  setHeaders,
  type When,
} from '../change.ts'
import type { Change } from '../deployment.ts'
import { without } from '../edit.ts'
import { errorResponse, jsonResponse } from '../exchange.ts'
import type { JsonObject } from '../json.ts'
import { type Broken, brokenBy } from '../variant.ts'

const success = [200]
const wellFormed: When = (request) => isGet(request) && !isMalformedGet(request)

/** getPet of an animal that existed before the run. */
const isGetOfSeeded: When = (request) => isGet(request) && /^\d{1,3}$/.test(request.petId)

/** Changes what getPet returns for the animals that existed before the run. */
const changed = (edit: (pet: JsonObject) => JsonObject) => editItems(success, isGetOfSeeded, edit)

/** Rejects getPet of the animals that existed before the run. */
const rejected = (status: number) => replaceResponse(success, isGetOfSeeded, errorResponse(status))

/** Sets a header on the successful responses of getPet. */
const withHeader = (name: string, value: string | undefined): Change =>
  setHeaders(success, isGet, { [name]: value })

const otherAnimal = jsonResponse(200, { id: 3n, name: 'Ada 1', categoryId: 1n, status: 'available' })

/** Variants that break sections 4.3 and 9. */
export const brokenGets: readonly Broken[] = brokenBy({
  'GET-1': {
    'returns an animal without a name': changed((pet) => without(pet, 'name')),
    'returns an animal with an undeclared status': {
      alsoBreaks: ['GET-3'],
      ...changed((pet) => ({ ...pet, status: 'lost' })),
    },
    'returns a category as a string': changed((pet) => ({ ...pet, categoryId: '1' })),
    'fails with 500 on every getPet': { alsoBreaks: ['ERR-6'], ...rejected(500) },
    'rejects every getPet with 403': rejected(403),
  },
  'GET-2': {
    'returns another id than was asked for': changed((pet) => ({ ...pet, id: 4n })),
  },
  'GET-3': {
    'returns another name than the list': changed((pet) => ({ ...pet, name: `${pet.name}!` })),
    'returns another status than the list': changed((pet) => ({
      ...pet,
      status: pet.status === 'sold' ? 'pending' : 'sold',
    })),
    'returns another category than the list': changed((pet) => ({ ...pet, categoryId: 77n })),
    'rounds categories to doubles in lists': {
      alsoBreaks: ['CREATE-26'],
      ...editItems(success, isList, (pet) => ({ ...pet, categoryId: BigInt(Number(pet.categoryId)) })),
    },
    'rounds categories to doubles in getPet': changed((pet) => ({
      ...pet,
      categoryId: BigInt(Number(pet.categoryId)),
    })),
  },
  'GET-4': {
    'returns another animal for an unknown id': replaceResponse([404], wellFormed, otherAnimal),
    'rejects an unknown id with 400': replaceResponse([404], wellFormed, errorResponse(400)),
    'responds to an unknown id with 204': editResponseWith([404], wellFormed, (response) => ({
      ...response,
      status: 204,
      body: '',
    })),
  },
  'GET-5': {
    'returns null for a petId that is a word': {
      alsoBreaks: ['GET-11'],
      ...replaceResponse([404], isMalformedGet, jsonResponse(200, null)),
    },
    'returns another animal for a petId that is a word': {
      alsoBreaks: ['GET-11'],
      ...replaceResponse([404], isMalformedGet, otherAnimal),
    },
  },
  'GET-6': {
    'has removed getPet before its date': { alsoBreaks: ['GET-1'], ...rejected(410) },
    'does not support getPet': { alsoBreaks: ['GET-1'], ...rejected(405) },
  },
  'GET-7': {
    'still has getPet after its removal date': { start: '2031-02-03T09:00:05Z' },
  },
  'GET-8': {
    'has its sunset a year early': withHeader('sunset', 'Wed, 05 Dec 2029 00:00:00 GMT'),
    'writes Sunset as an ISO date': withHeader('sunset', '2030-12-05'),
  },
  'GET-9': {
    'writes Deprecation as a word': withHeader('deprecation', 'true'),
    'writes Deprecation as an HTTP-date': withHeader('deprecation', 'Fri, 20 Nov 2026 00:00:00 GMT'),
  },
  'GET-10': {
    'labels animals as HTML': withHeader('content-type', 'text/html'),
    'returns animals without a content type': withHeader('content-type', undefined),
  },
  'GET-11': {
    'reads the digits at the start of a petId': {
      profile: 'read',
      ...editRequest(
        (request) => isGet(request) && /^\d+[a-z]/.test(request.petId),
        (request) => ({ ...request, petId: request.petId.replace(/\D.*$/, '') }),
      ),
    },
  },
})
