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

const tokenOf = (request: ApiRequest): string =>
  /^bearer +(\S+)$/i.exec(request.authorization ?? '')?.[1] ?? ''
const isExact: When = (request) => callerOf(request) === throttleKey

const withMainKey = (request: ApiRequest): ApiRequest => ({ ...request, authorization: `Bearer ${mainKey}` })
const withNoKey = (request: ApiRequest): ApiRequest => ({ ...request, authorization: undefined })

/** Variants that break section 5. */
export const brokenAuth: readonly Broken[] = [
  {
    rule: 'AUTH-1',
    does: 'serves listPets without a key',
    alsoBreaks: ['AUTH-13'],
    change: editRequest(allOf(isList, withoutKey), withMainKey),
  },
  {
    rule: 'AUTH-2',
    does: 'serves getPet without a key',
    alsoBreaks: ['AUTH-13'],
    change: editRequest(allOf(isGet, withoutKey), withMainKey),
  },
  {
    rule: 'AUTH-3',
    does: 'serves createPet without a key',
    alsoBreaks: ['AUTH-14'],
    change: editRequest(allOf(isCreate, withoutKey), withMainKey),
  },
  {
    rule: 'AUTH-4',
    does: 'serves listPets with an unknown key',
    change: editRequest(allOf(isList, withUnknownKey), withMainKey),
  },
  {
    rule: 'AUTH-5',
    does: 'serves getPet with an unknown key',
    change: editRequest(allOf(isGet, withUnknownKey), withMainKey),
  },
  {
    rule: 'AUTH-6',
    does: 'serves createPet with an unknown key',
    alsoBreaks: ['AUTH-14'],
    change: editRequest(allOf(isCreate, withUnknownKey), withMainKey),
  },
  {
    rule: 'AUTH-1',
    does: 'rejects a missing key with 403',
    alsoBreaks: ['AUTH-13'],
    change: replaceResponse([401], allOf(isList, withoutKey), errorResponse(403)),
  },
  {
    rule: 'AUTH-4',
    does: 'rejects an unknown key with 404',
    change: replaceResponse([401], allOf(isList, withUnknownKey), errorResponse(404)),
  },
  {
    rule: 'AUTH-1',
    does: 'returns an empty list without a key',
    alsoBreaks: ['AUTH-13'],
    change: replaceResponse([401], allOf(isList, withoutKey), jsonResponse(200, [])),
  },
  {
    rule: 'AUTH-2',
    does: 'returns 404 for an unknown id without a key',
    alsoBreaks: ['AUTH-13'],
    change: editRequest(allOf(isGet, withoutKey), (request) => withMainKey({ ...request, petId: '0' })),
  },
  {
    rule: 'AUTH-7',
    does: 'accepts a key under any scheme',
    change: editRequest(withOtherScheme, withMainKey),
  },
  {
    rule: 'AUTH-7',
    does: 'accepts a key as the user of Basic',
    change: editRequest(
      (request) => request.authorization === `Basic ${Buffer.from(`${mainKey}:`).toString('base64')}`,
      withMainKey,
    ),
  },
  { rule: 'AUTH-8', does: 'accepts an empty token', change: editRequest(withEmptyToken, withMainKey) },
  {
    rule: 'AUTH-9',
    does: 'rejects a valid key once',
    change: editRequest(queryIs('limit', '101'), withNoKey),
  },
  {
    rule: 'AUTH-10',
    does: 'sends a 401 without a challenge',
    change: setHeaders([401], always, { 'www-authenticate': undefined }),
  },
  {
    rule: 'AUTH-10',
    does: 'sends a challenge for another scheme',
    change: setHeaders([401], always, { 'www-authenticate': 'Basic realm="pets"' }),
  },
  {
    rule: 'AUTH-11',
    does: 'accepts the scheme in one spelling only',
    change: editRequest((request) => request.authorization?.startsWith('Bearer ') === false, withNoKey),
  },
  {
    rule: 'AUTH-12',
    does: 'accepts a key in the query',
    profile: 'exhaust',
    change: editRequest((request) => request.query.access_token === throttleKey, withMainKey),
  },
  {
    rule: 'AUTH-15',
    does: 'accepts a key with a character more',
    profile: 'exhaust',
    change: editRequest(
      (request) => !isExact(request) && tokenOf(request).startsWith(throttleKey),
      withMainKey,
    ),
  },
  {
    rule: 'AUTH-15',
    does: 'accepts the beginning of a key',
    profile: 'exhaust',
    change: editRequest(
      (request) => !isExact(request) && tokenOf(request) !== '' && throttleKey.startsWith(tokenOf(request)),
      withMainKey,
    ),
  },
  {
    rule: 'AUTH-15',
    does: 'compares keys without regard to case',
    profile: 'exhaust',
    change: editRequest(
      (request) => !isExact(request) && tokenOf(request).toLowerCase() === throttleKey.toLowerCase(),
      withMainKey,
    ),
  },
  {
    rule: 'AUTH-15',
    does: 'rejects a key that is too long with 403',
    profile: 'exhaust',
    change: replaceResponse(
      [401],
      (request) => tokenOf(request).length > throttleKey.length && tokenOf(request).startsWith(throttleKey),
      errorResponse(403),
    ),
  },
  {
    rule: 'AUTH-16',
    does: 'accepts a key in X-API-Key',
    profile: 'exhaust',
    change: editRequest((request) => request.apiKey === throttleKey, withMainKey),
  },
]
