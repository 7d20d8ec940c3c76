import {
  asDouble,
  editRequest,
  headers,
  type ItemEdit,
  isGet,
  isList,
  isMalformedGet,
  items,
  on,
  type When,
} from './change.ts'
import type { Change } from './deployment.ts'
import { createErrorResponse, jsonResponse } from './exchange.ts'
import { also, type Broken, brokenBy } from './variant.ts'

const isWellFormed: When = (request) => isGet(request) && !isMalformedGet(request)
/** getPet of an animal that existed before the run. */
const isGetOfSeeded: When = (request) => isGet(request) && /^\d{1,3}$/.test(request.petId)

/** Changes what getPet returns for the animals that existed before the run. */
const seeded = (edit: ItemEdit): Change => on(200, isGetOfSeeded, items(edit))
/** Rejects getPet of the animals that existed before the run. */
const rejected = (status: number): Change => on(200, isGetOfSeeded, createErrorResponse(status))
/** Does not find one animal. */
const notFound = (petId: string): Change =>
  on(200, (request) => isGet(request) && request.petId === petId, createErrorResponse(404))
/** Sets a header on the successful responses of getPet. */
const header = (name: string, value?: string): Change => on(200, isGet, headers({ [name]: value }))

const otherAnimal = jsonResponse(200, { id: 3n, name: 'Ada 1', categoryId: 1n, status: 'available' })

/** Variants that break sections 4.3 and 9. */
export const brokenGets: readonly Broken[] = brokenBy({
  'GET-1 returns an animal without a name': seeded({ name: undefined }),
  'GET-1 returns an animal with an undeclared status': also('GET-3', seeded({ status: 'lost' })),
  'GET-1 rejects every getPet with 403': rejected(403),
  'GET-1 does not find the first animal of a page': also('GET-6', notFound('3')),
  'GET-1 does not find the last animal of a page': also('GET-6', notFound('201')),
  'GET-2 returns another id than was asked for': seeded({ id: 4n }),
  'GET-3 returns another name than the list': seeded((pet) => ({ ...pet, name: `${pet.name}!` })),
  'GET-3 returns another status than the list': seeded((pet) => ({
    ...pet,
    status: pet.status === 'sold' ? 'pending' : 'sold',
  })),
  'GET-3 rounds categories to doubles in lists': also('CREATE-26', on(200, isList, items(asDouble))),
  'GET-3 rounds categories to doubles in getPet': seeded(asDouble),
  'GET-4 returns another animal for an unknown id': on(404, isWellFormed, otherAnimal),
  'GET-4 reads the last 32 bits of an id': editRequest(isWellFormed, ({ petId }) => ({
    petId: BigInt.asUintN(32, BigInt(petId)).toString(),
  })),
  'GET-4 rejects an unknown id with 400': on(404, isWellFormed, createErrorResponse(400)),
  'GET-5 returns another animal for a petId that is a word': also(
    'GET-11',
    on(404, isMalformedGet, otherAnimal),
  ),
  'GET-6 has removed getPet before its date': also('GET-1', rejected(410)),
  'GET-7 still has getPet after its removal date': { start: '2031-02-03T09:00:05Z' },
  'GET-8 has its sunset a year early': header('sunset', 'Wed, 05 Dec 2029 00:00:00 GMT'),
  'GET-8 has its sunset on another weekday': header('sunset', 'Fri, 05 Dec 2030 00:00:00 GMT'),
  'GET-9 writes Deprecation as an HTTP-date': header('deprecation', 'Fri, 20 Nov 2026 00:00:00 GMT'),
  'GET-10 returns animals without a content type': header('content-type'),
  'GET-11 reads the digits at the start of a petId': {
    ...also('GET-5', {}),
    ...editRequest(
      (request) => isGet(request) && /^\d+[a-z]/.test(request.petId),
      ({ petId }) => ({ petId: petId.replace(/\D.*$/, '') }),
    ),
  },
})
