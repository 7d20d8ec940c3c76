import {
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

const served = [200]
const wellFormed: When = (request) => isGet(request) && !isMalformedGet(request)

/** The animals that were there before the run. */
const old: When = (request) => isGet(request) && /^\d{1,3}$/.test(request.petId)

/** Changes every old animal that getPet serves. */
const shown = (edit: (pet: JsonObject) => JsonObject) =>
  editResponseWith(served, old, (response: ApiResponse) => withEach(response, edit))

/** Puts an error in place of every old animal that getPet serves. */
const refused = (status: number) => replaceResponse(served, old, errorResponse(status))

/** Sets a header on what getPet serves. */
const headed = (name: string, value: string | undefined): Change =>
  setHeaders(served, isGet, { [name]: value })

const foreign = jsonResponse(200, { id: 3n, name: 'Ada 1', categoryId: 1n, status: 'available' })

/** What breaks sections 4.3 and 9. */
export const brokenGets: readonly Broken[] = [
  { rule: 'GET-1', does: 'shows an animal without its name', change: shown((pet) => without(pet, 'name')) },
  {
    rule: 'GET-1',
    does: 'shows an animal that is lost',
    change: shown((pet) => ({ ...pet, status: 'lost' })),
  },
  { rule: 'GET-1', does: 'shows a category as text', change: shown((pet) => ({ ...pet, categoryId: '1' })) },
  { rule: 'GET-1', does: 'trips over every animal', alsoBreaks: ['ERR-6'], change: refused(500) },
  { rule: 'GET-1', does: 'lets nobody see an animal', change: refused(403) },
  { rule: 'GET-2', does: 'shows another id', change: shown((pet) => ({ ...pet, id: 4n })) },
  {
    rule: 'GET-3',
    does: 'shows another name',
    change: shown((pet) => ({ ...pet, name: `${pet.name}!` })),
  },
  { rule: 'GET-3', does: 'shows another category', change: shown((pet) => ({ ...pet, categoryId: 77n })) },
  {
    rule: 'GET-3',
    does: 'lists categories as doubles',
    change: editResponseWith(served, isList, (response) =>
      withEach(response, (pet) => ({ ...pet, categoryId: BigInt(Number(pet.categoryId)) })),
    ),
  },
  {
    rule: 'GET-3',
    does: 'shows categories as doubles',
    change: shown((pet) => ({ ...pet, categoryId: BigInt(Number(pet.categoryId)) })),
  },
  {
    rule: 'GET-4',
    does: 'shows somebody for an id that nobody has',
    change: replaceResponse([404], wellFormed, foreign),
  },
  {
    rule: 'GET-4',
    does: 'calls an id that nobody has a bad request',
    change: replaceResponse([404], wellFormed, errorResponse(400)),
  },
  {
    rule: 'GET-4',
    does: 'says nothing of an id that nobody has',
    change: editResponseWith([404], wellFormed, (response) => ({ ...response, status: 204, body: '' })),
  },
  {
    rule: 'GET-5',
    does: 'shows null for a word',
    change: replaceResponse([404], isMalformedGet, jsonResponse(200, null)),
  },
  {
    rule: 'GET-5',
    does: 'shows somebody for a word',
    change: replaceResponse([404], isMalformedGet, foreign),
  },
  { rule: 'GET-6', does: 'has removed getPet early', alsoBreaks: ['GET-1'], change: refused(410) },
  { rule: 'GET-6', does: 'never had getPet', alsoBreaks: ['GET-1'], change: refused(405) },
  { rule: 'GET-7', does: 'never removes getPet', start: '2031-02-03T09:00:05Z', change: {} },
  {
    rule: 'GET-8',
    does: 'has its sunset a year early',
    change: headed('sunset', 'Wed, 05 Dec 2029 00:00:00 GMT'),
  },
  { rule: 'GET-8', does: 'writes its sunset as an ISO date', change: headed('sunset', '2030-12-05') },
  { rule: 'GET-9', does: 'writes its deprecation as a word', change: headed('deprecation', 'true') },
  {
    rule: 'GET-9',
    does: 'writes its deprecation as an HTTP-date',
    change: headed('deprecation', 'Fri, 20 Nov 2026 00:00:00 GMT'),
  },
  { rule: 'GET-10', does: 'shows animals as HTML', change: headed('content-type', 'text/html') },
  { rule: 'GET-10', does: 'shows animals without a content type', change: headed('content-type', undefined) },
]
