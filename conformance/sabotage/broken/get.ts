import {
  getting,
  gettingMalformed,
  listing,
  sayHeaders,
  sayInstead,
  sayOn,
  type When,
  withEach,
  without,
} from '../change.ts'
import type { Change } from '../deployment.ts'
import { errorReply, jsonReply, type Reply } from '../exchange.ts'
import type { JsonObject } from '../json.ts'
import type { Broken } from '../variant.ts'

const served = [200]
const wellFormed: When = (call) => getting(call) && !gettingMalformed(call)

/** The animals that were there before the run. */
const old: When = (call) => getting(call) && /^\d{1,3}$/.test(call.petId)

/** Changes every old animal that getPet serves. */
const shown = (edit: (pet: JsonObject) => JsonObject) =>
  sayOn(served, old, (reply: Reply) => withEach(reply, edit))

/** Puts an error in place of every old animal that getPet serves. */
const refused = (status: number) => sayInstead(served, old, errorReply(status))

/** Sets a header on what getPet serves. */
const headed = (name: string, value: string | undefined): Change =>
  sayHeaders(served, getting, { [name]: value })

const foreign = jsonReply(200, { id: 3n, name: 'Ada 1', categoryId: 1n, status: 'available' })

/** What breaks sections 4.3 and 9. */
export const brokenGets: readonly Broken[] = [
  { rule: 'GET-1', does: 'shows an animal without its name', change: shown((pet) => without(pet, 'name')) },
  {
    rule: 'GET-1',
    does: 'shows an animal that is lost',
    change: shown((pet) => ({ ...pet, status: 'lost' })),
  },
  { rule: 'GET-1', does: 'shows a category as text', change: shown((pet) => ({ ...pet, categoryId: '1' })) },
  { rule: 'GET-1', does: 'trips over every animal', mayTouch: ['ERR-6'], change: refused(500) },
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
    mayTouch: ['CREATE-26'],
    change: sayOn(served, listing, (reply) =>
      withEach(reply, (pet) => ({ ...pet, categoryId: BigInt(Number(pet.categoryId)) })),
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
    change: sayInstead([404], wellFormed, foreign),
  },
  {
    rule: 'GET-4',
    does: 'calls an id that nobody has a bad request',
    change: sayInstead([404], wellFormed, errorReply(400)),
  },
  {
    rule: 'GET-4',
    does: 'says nothing of an id that nobody has',
    change: sayOn([404], wellFormed, (reply) => ({ ...reply, status: 204, body: '' })),
  },
  {
    rule: 'GET-5',
    does: 'shows null for a word',
    change: sayInstead([404], gettingMalformed, jsonReply(200, null)),
  },
  {
    rule: 'GET-5',
    does: 'shows somebody for a word',
    change: sayInstead([404], gettingMalformed, foreign),
  },
  { rule: 'GET-6', does: 'has removed getPet early', mayTouch: ['GET-1'], change: refused(410) },
  { rule: 'GET-6', does: 'never had getPet', mayTouch: ['GET-1'], change: refused(405) },
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
