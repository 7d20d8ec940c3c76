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
import { requestJson } from '../edit.ts'
import { type ApiRequest, callerOf, errorResponse, jsonResponse } from '../exchange.ts'
import { isObject } from '../json.ts'
import { type Broken, brokenBy } from '../variant.ts'
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

const isAnonymous: When = (request) => callerOf(request) === 'anonymous'
const hasKey: When = ({ authorization }) => authorization !== undefined
/** getPet of an id that no animal of the reference deployment has. */
const isUnknownGet: When = (request) => isGet(request) && /^\d{15,}$/.test(request.petId)
const isInvalidCreate: When = (request) => {
  const body = requestJson(request)
  return isCreate(request) && !(isObject(body) && 'name' in body && 'categoryId' in body)
}

/** Variants that break section 5. */
export const brokenAuth: readonly Broken[] = brokenBy({
  'AUTH-1': {
    'serves listPets without a key': {
      alsoBreaks: ['AUTH-13'],
      ...editRequest(allOf(isList, withoutKey), withMainKey),
    },
    'rejects a missing key with 403': {
      alsoBreaks: ['AUTH-13'],
      ...replaceResponse([401], allOf(isList, withoutKey), errorResponse(403)),
    },
    'returns an empty list without a key': {
      alsoBreaks: ['AUTH-13'],
      ...replaceResponse([401], allOf(isList, withoutKey), jsonResponse(200, [])),
    },
  },
  'AUTH-2': {
    'serves getPet without a key': {
      alsoBreaks: ['AUTH-13'],
      ...editRequest(allOf(isGet, withoutKey), withMainKey),
    },
    'returns 404 for an unknown id without a key': {
      alsoBreaks: ['AUTH-13'],
      ...editRequest(allOf(isGet, withoutKey), (request) => withMainKey({ ...request, petId: '0' })),
    },
  },
  'AUTH-3': {
    'serves createPet without a key': {
      alsoBreaks: ['AUTH-14'],
      ...editRequest(allOf(isCreate, withoutKey), withMainKey),
    },
  },
  'AUTH-4': {
    'serves listPets with an unknown key': editRequest(allOf(isList, withUnknownKey), withMainKey),
    'rejects an unknown key with 404': replaceResponse(
      [401],
      allOf(isList, withUnknownKey),
      errorResponse(404),
    ),
  },
  'AUTH-5': {
    'serves getPet with an unknown key': editRequest(allOf(isGet, withUnknownKey), withMainKey),
  },
  'AUTH-6': {
    'serves createPet with an unknown key': {
      alsoBreaks: ['AUTH-14'],
      ...editRequest(allOf(isCreate, withUnknownKey), withMainKey),
    },
  },
  'AUTH-7': {
    'accepts a key under any scheme': editRequest(withOtherScheme, withMainKey),
    'accepts a key as the user of Basic': editRequest(
      (request) => request.authorization === `Basic ${Buffer.from(`${mainKey}:`).toString('base64')}`,
      withMainKey,
    ),
  },
  'AUTH-8': {
    'accepts an empty token': editRequest(withEmptyToken, withMainKey),
  },
  'AUTH-9': {
    'rejects a valid key once': editRequest(queryIs('limit', '101'), withNoKey),
  },
  'AUTH-10': {
    'sends a 401 without a challenge': setHeaders([401], always, { 'www-authenticate': undefined }),
    'sends a challenge for another scheme': setHeaders([401], always, {
      'www-authenticate': 'Basic realm="pets"',
    }),
  },
  'AUTH-11': {
    'accepts the scheme in one spelling only': editRequest(
      (request) => request.authorization?.startsWith('Bearer ') === false,
      withNoKey,
    ),
  },
  'AUTH-12': {
    'accepts a key in the query': {
      profile: 'exhaust',
      ...editRequest((request) => request.query.access_token === throttleKey, withMainKey),
    },
  },
  'AUTH-13': {
    'validates the limit before the key': replaceResponse(
      [401],
      allOf(isList, isAnonymous, queryIs('limit', '0')),
      errorResponse(400),
    ),
    'looks up the animal before it checks the key': {
      profile: 'read',
      ...replaceResponse([401], allOf(isUnknownGet, isAnonymous), errorResponse(404)),
    },
  },
  'AUTH-14': {
    'validates the body before the key': replaceResponse(
      [401],
      allOf(isInvalidCreate, isAnonymous),
      errorResponse(400),
    ),
    'validates the body before it rejects an unknown key': replaceResponse(
      [401],
      allOf(isInvalidCreate, isAnonymous, hasKey),
      errorResponse(400),
    ),
  },
  'AUTH-15': {
    'accepts a key with a character more': {
      profile: 'exhaust',
      ...editRequest((request) => !isExact(request) && tokenOf(request).startsWith(throttleKey), withMainKey),
    },
    'accepts the beginning of a key': {
      profile: 'exhaust',
      ...editRequest(
        (request) => !isExact(request) && tokenOf(request) !== '' && throttleKey.startsWith(tokenOf(request)),
        withMainKey,
      ),
    },
    'compares keys without regard to case': {
      profile: 'exhaust',
      ...editRequest(
        (request) => !isExact(request) && tokenOf(request).toLowerCase() === throttleKey.toLowerCase(),
        withMainKey,
      ),
    },
    'rejects a key that is too long with 403': {
      profile: 'exhaust',
      ...replaceResponse(
        [401],
        (request) => tokenOf(request).length > throttleKey.length && tokenOf(request).startsWith(throttleKey),
        errorResponse(403),
      ),
    },
  },
  'AUTH-16': {
    'accepts a key in X-API-Key': {
      profile: 'exhaust',
      ...editRequest((request) => request.apiKey === throttleKey, withMainKey),
    },
  },
})
