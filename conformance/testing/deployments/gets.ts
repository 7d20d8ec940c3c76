import {
  editItems,
  editOn,
  editRequest,
  type ItemEdit,
  isGet,
  isList,
  isMalformedGet,
  setHeaders,
  toDouble,
  type When,
} from './change.ts'
import type { Change } from './deployment.ts'
import { createErrorResponse, createJsonResponse } from './exchange.ts'
import { addBrokenRules, type BrokenDeployment, createBroken } from './variant.ts'

const isWellFormed: When = (request) => isGet(request) && !isMalformedGet(request)
const isGetOfSeeded: When = (request) => isGet(request) && /^\d{1,3}$/.test(request.petId)

/** Changes the animals that existed before the run. */
const editSeededPets = (edit: ItemEdit): Change => editOn(200, isGetOfSeeded, editItems(edit))
const rejectSeededGets = (status: number): Change => editOn(200, isGetOfSeeded, createErrorResponse(status))
const hideAnimal = (petId: string): Change =>
  editOn(200, (request) => isGet(request) && request.petId === petId, createErrorResponse(404))
const setGetPetHeader = (name: string, value?: string): Change =>
  editOn(200, isGet, setHeaders({ [name]: value }))

const otherAnimal = createJsonResponse(200, { id: 3n, name: 'Ada 1', categoryId: 1n, status: 'available' })

/** Deployments that break rules about getPet. */
export const brokenGetDeployments: readonly BrokenDeployment[] = createBroken({
  'GET-1: returns an animal without a name': editSeededPets({ name: undefined }),
  'GET-1: returns an animal with an undeclared status': addBrokenRules(
    'GET-3',
    editSeededPets({ status: 'lost' }),
  ),
  'GET-1: returns 403 for every getPet request': rejectSeededGets(403),
  'GET-1: returns 404 for the first listed animal': addBrokenRules('GET-6', hideAnimal('3')),
  'GET-1: returns 404 for the last listed animal': addBrokenRules('GET-6', hideAnimal('201')),
  'GET-2: returns an animal with a different ID': editSeededPets({ id: 4n }),
  'GET-3: returns a different name from getPet than from listPets': editSeededPets((pet) => ({
    ...pet,
    name: `${pet.name}!`,
  })),
  'GET-3: returns a different status from getPet than from listPets': editSeededPets((pet) => ({
    ...pet,
    status: pet.status === 'sold' ? 'pending' : 'sold',
  })),
  'GET-3: rounds each categoryId to a double in lists': addBrokenRules(
    'CREATE-26',
    editOn(200, isList, editItems(toDouble)),
  ),
  'GET-3: rounds each categoryId to a double in getPet responses': editSeededPets(toDouble),
  'GET-4: returns another animal for an unknown ID': editOn(404, isWellFormed, otherAnimal),
  'GET-4: reads only the low 32 bits of an ID': editRequest(isWellFormed, ({ petId }) => ({
    petId: BigInt.asUintN(32, BigInt(petId)).toString(),
  })),
  'GET-4: returns 400 for an unknown ID': editOn(404, isWellFormed, createErrorResponse(400)),
  'GET-5: returns an animal for a petId that is a word': addBrokenRules(
    'GET-11',
    editOn(404, isMalformedGet, otherAnimal),
  ),
  'GET-6: returns 410 for getPet before its removal date': addBrokenRules('GET-1', rejectSeededGets(410)),
  'GET-7: serves getPet two months after its removal date': { start: '2031-02-03T09:00:05Z' },
  'GET-8: sends a Sunset header with a date one year too early': setGetPetHeader(
    'sunset',
    'Wed, 05 Dec 2029 00:00:00 GMT',
  ),
  'GET-8: sends a Sunset header with the wrong day of the week': setGetPetHeader(
    'sunset',
    'Fri, 05 Dec 2030 00:00:00 GMT',
  ),
  'GET-9: sends a Deprecation header with an HTTP-date': setGetPetHeader(
    'deprecation',
    'Fri, 20 Nov 2026 00:00:00 GMT',
  ),
  'GET-10: returns animals without a Content-Type header': setGetPetHeader('content-type'),
  'GET-11: ignores letters after the digits of a petId': {
    ...addBrokenRules('GET-5', {}),
    ...editRequest(
      (request) => isGet(request) && /^\d+[a-z]/.test(request.petId),
      ({ petId }) => ({ petId: petId.replace(/\D.*$/, '') }),
    ),
  },
})
