import {
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
import { withEach, without } from '../edit.ts'
import { type ApiResponse, errorResponse, jsonResponse } from '../exchange.ts'
import type { JsonObject } from '../json.ts'
import type { Broken } from '../variant.ts'

const success = [200]
const wellFormed: When = (request) => isGet(request) && !isMalformedGet(request)

/** getPet of an animal that existed before the run. */
const isGetOfSeeded: When = (request) => isGet(request) && /^\d{1,3}$/.test(request.petId)

/** Changes what getPet returns for the animals that existed before the run. */
const changed = (edit: (pet: JsonObject) => JsonObject) =>
  editResponseWith(success, isGetOfSeeded, (response: ApiResponse) => withEach(response, edit))

/** Rejects getPet of the animals that existed before the run. */
const rejected = (status: number) => replaceResponse(success, isGetOfSeeded, errorResponse(status))

/** Sets a header on the successful responses of getPet. */
const withHeader = (name: string, value: string | undefined): Change =>
  setHeaders(success, isGet, { [name]: value })

const otherAnimal = jsonResponse(200, { id: 3n, name: 'Ada 1', categoryId: 1n, status: 'available' })

/** Variants that break sections 4.3 and 9. */
export const brokenGets: readonly Broken[] = [
  { rule: 'GET-1', does: 'returns an animal without a name', change: changed((pet) => without(pet, 'name')) },
  {
    rule: 'GET-1',
    does: 'returns an animal with an undeclared status',
    alsoBreaks: ['GET-3'],
    change: changed((pet) => ({ ...pet, status: 'lost' })),
  },
  {
    rule: 'GET-1',
    does: 'returns a category as a string',
    change: changed((pet) => ({ ...pet, categoryId: '1' })),
  },
  { rule: 'GET-1', does: 'fails with 500 on every getPet', alsoBreaks: ['ERR-6'], change: rejected(500) },
  { rule: 'GET-1', does: 'rejects every getPet with 403', change: rejected(403) },
  {
    rule: 'GET-2',
    does: 'returns another id than was asked for',
    change: changed((pet) => ({ ...pet, id: 4n })),
  },
  {
    rule: 'GET-3',
    does: 'returns another name than the list',
    change: changed((pet) => ({ ...pet, name: `${pet.name}!` })),
  },
  {
    rule: 'GET-3',
    does: 'returns another status than the list',
    change: changed((pet) => ({ ...pet, status: pet.status === 'sold' ? 'pending' : 'sold' })),
  },
  {
    rule: 'GET-3',
    does: 'returns another category than the list',
    change: changed((pet) => ({ ...pet, categoryId: 77n })),
  },
  {
    rule: 'GET-3',
    does: 'rounds categories to doubles in lists',
    alsoBreaks: ['CREATE-26'],
    change: editResponseWith(success, isList, (response) =>
      withEach(response, (pet) => ({ ...pet, categoryId: BigInt(Number(pet.categoryId)) })),
    ),
  },
  {
    rule: 'GET-3',
    does: 'rounds categories to doubles in getPet',
    change: changed((pet) => ({ ...pet, categoryId: BigInt(Number(pet.categoryId)) })),
  },
  {
    rule: 'GET-4',
    does: 'returns another animal for an unknown id',
    change: replaceResponse([404], wellFormed, otherAnimal),
  },
  {
    rule: 'GET-4',
    does: 'rejects an unknown id with 400',
    change: replaceResponse([404], wellFormed, errorResponse(400)),
  },
  {
    rule: 'GET-4',
    does: 'responds to an unknown id with 204',
    change: editResponseWith([404], wellFormed, (response) => ({ ...response, status: 204, body: '' })),
  },
  {
    rule: 'GET-5',
    does: 'returns null for a petId that is a word',
    alsoBreaks: ['GET-11'],
    change: replaceResponse([404], isMalformedGet, jsonResponse(200, null)),
  },
  {
    rule: 'GET-5',
    does: 'returns another animal for a petId that is a word',
    alsoBreaks: ['GET-11'],
    change: replaceResponse([404], isMalformedGet, otherAnimal),
  },
  { rule: 'GET-6', does: 'has removed getPet before its date', alsoBreaks: ['GET-1'], change: rejected(410) },
  { rule: 'GET-6', does: 'does not support getPet', alsoBreaks: ['GET-1'], change: rejected(405) },
  {
    rule: 'GET-7',
    does: 'still has getPet after its removal date',
    start: '2031-02-03T09:00:05Z',
    change: {},
  },
  {
    rule: 'GET-8',
    does: 'has its sunset a year early',
    change: withHeader('sunset', 'Wed, 05 Dec 2029 00:00:00 GMT'),
  },
  { rule: 'GET-8', does: 'writes Sunset as an ISO date', change: withHeader('sunset', '2030-12-05') },
  { rule: 'GET-9', does: 'writes Deprecation as a word', change: withHeader('deprecation', 'true') },
  {
    rule: 'GET-9',
    does: 'writes Deprecation as an HTTP-date',
    change: withHeader('deprecation', 'Fri, 20 Nov 2026 00:00:00 GMT'),
  },
  { rule: 'GET-10', does: 'labels animals as HTML', change: withHeader('content-type', 'text/html') },
  {
    rule: 'GET-10',
    does: 'returns animals without a content type',
    change: withHeader('content-type', undefined),
  },
  {
    rule: 'GET-11',
    does: 'reads the digits at the start of a petId',
    profile: 'read',
    change: editRequest(
      (request) => isGet(request) && /^\d+[a-z]/.test(request.petId),
      (request) => ({ ...request, petId: request.petId.replace(/\D.*$/, '') }),
    ),
  },
]
