import {
  allOf,
  always,
  editRequest,
  isCreate,
  isGet,
  isList,
  queryIs,
  replaceResponse,
  setHeaders,
  type When,
} from '../change.ts'
import { type ApiRequest, callerOf, errorResponse, jsonResponse } from '../exchange.ts'
import type { Broken } from '../variant.ts'
import { mainKey, throttleKey } from '../world.ts'

const withoutKey: When = (request) => request.authorization === undefined
const withUnknownKey: When = (request) =>
  /^bearer +\S/i.test(request.authorization ?? '') && callerOf(request) === 'anonymous'
const withOtherScheme: When = (request) => /^(?!bearer)\S+ +\S/i.test(request.authorization ?? '')
const withEmptyToken: When = (request) => /^bearer *$/i.test(request.authorization ?? '')

const letIn = (request: ApiRequest): ApiRequest => ({ ...request, authorization: `Bearer ${mainKey}` })
const turnAway = (request: ApiRequest): ApiRequest => ({ ...request, authorization: undefined })

/** What breaks section 5. */
export const brokenAuth: readonly Broken[] = [
  { rule: 'AUTH-1', does: 'lists to anyone', change: editRequest(allOf(isList, withoutKey), letIn) },
  { rule: 'AUTH-2', does: 'shows an animal to anyone', change: editRequest(allOf(isGet, withoutKey), letIn) },
  { rule: 'AUTH-3', does: 'lets anyone create', change: editRequest(allOf(isCreate, withoutKey), letIn) },
  { rule: 'AUTH-4', does: 'lists to any key', change: editRequest(allOf(isList, withUnknownKey), letIn) },
  {
    rule: 'AUTH-5',
    does: 'shows an animal to any key',
    change: editRequest(allOf(isGet, withUnknownKey), letIn),
  },
  {
    rule: 'AUTH-6',
    does: 'lets any key create',
    change: editRequest(allOf(isCreate, withUnknownKey), letIn),
  },
  {
    rule: 'AUTH-1',
    does: 'answers 403 where the key is missing',
    change: replaceResponse([401], allOf(isList, withoutKey), errorResponse(403)),
  },
  {
    rule: 'AUTH-4',
    does: 'answers 404 to an unknown key',
    change: replaceResponse([401], allOf(isList, withUnknownKey), errorResponse(404)),
  },
  {
    rule: 'AUTH-1',
    does: 'shows an empty list to anyone',
    change: replaceResponse([401], allOf(isList, withoutKey), jsonResponse(200, [])),
  },
  {
    rule: 'AUTH-2',
    does: 'tells anyone whether an animal is there',
    change: editRequest(allOf(isGet, withoutKey), (request) => letIn({ ...request, petId: '0' })),
  },
  { rule: 'AUTH-7', does: 'takes a key under any scheme', change: editRequest(withOtherScheme, letIn) },
  { rule: 'AUTH-8', does: 'takes an empty token', change: editRequest(withEmptyToken, letIn) },
  {
    rule: 'AUTH-9',
    does: 'forgets the key for one request',
    change: editRequest(queryIs('limit', '101'), turnAway),
  },
  {
    rule: 'AUTH-10',
    does: 'sends no challenge',
    change: setHeaders([401], always, { 'www-authenticate': undefined }),
  },
  {
    rule: 'AUTH-10',
    does: 'challenges for another scheme',
    change: setHeaders([401], always, { 'www-authenticate': 'Basic realm="pets"' }),
  },
  {
    rule: 'AUTH-11',
    does: 'knows the scheme in one spelling',
    change: editRequest((request) => request.authorization?.startsWith('Bearer ') === false, turnAway),
  },
  {
    rule: 'AUTH-12',
    does: 'takes a key in the query',
    profile: 'exhaust',
    change: editRequest((request) => request.query.access_token === throttleKey, letIn),
  },
]
