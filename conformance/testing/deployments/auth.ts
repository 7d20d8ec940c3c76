import {
  allOf,
  always,
  editRequest,
  headers,
  isAnonymous,
  isCreate,
  isGet,
  isList,
  not,
  on,
  queryIs,
  requestJson,
  type When,
} from './change.ts'
import type { Change } from './deployment.ts'
import { type ApiRequest, createErrorResponse, findCaller } from './exchange.ts'
import { isObject } from './json.ts'
import { also, type Broken, brokenBy } from './variant.ts'
import { mainKey, throttleKey } from './world.ts'

const hasKey: When = ({ authorization }) => authorization !== undefined
const lacksKey = not(hasKey)
const readToken = ({ authorization = '' }: ApiRequest): string =>
  /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
const hasUnknownKey: When = (request) => readToken(request) !== '' && isAnonymous(request)
const hasEmptyToken: When = ({ authorization = '' }) => /^bearer *$/i.test(authorization)
/** Requests whose token meets a condition and is not the throttle key itself. */
const hasTokenLike = (condition: (token: string) => boolean): When =>
  allOf(
    (request) => findCaller(request) !== throttleKey,
    (request) => condition(readToken(request)),
  )

/** Serves requests as if they had the main key. */
const serves = (...conditions: readonly When[]): Change =>
  editRequest(allOf(...conditions), { authorization: `Bearer ${mainKey}` })
const rejects = (status: number, ...conditions: readonly When[]): Change =>
  on(401, allOf(...conditions), createErrorResponse(status))

/** getPet of an id that no animal of the reference deployment has. */
const isUnknownGet: When = (request) => isGet(request) && /^\d{15,}$/.test(request.petId)
const isInvalidCreate: When = (request) => {
  const body = requestJson(request)
  return isCreate(request) && !(isObject(body) && 'name' in body && 'categoryId' in body)
}

/** Variants that break section 5. */
export const brokenAuth: readonly Broken[] = brokenBy({
  'AUTH-1 serves listPets without a key': also('AUTH-13', serves(isList, lacksKey)),
  'AUTH-2 serves getPet without a key': also('AUTH-13', serves(isGet, lacksKey)),
  'AUTH-3 serves createPet without a key': also('AUTH-14', serves(isCreate, lacksKey)),
  'AUTH-4 accepts every key that has the form of one': serves((request) =>
    /^pets_[a-z]+_[0-9a-f]{12}$/.test(readToken(request)),
  ),
  'AUTH-5 serves getPet with an unknown key': serves(isGet, hasUnknownKey),
  'AUTH-6 serves createPet with an unknown key': also('AUTH-14', serves(isCreate, hasUnknownKey)),
  'AUTH-7 accepts a key as the user of Basic': serves(
    ({ authorization }) => authorization === `Basic ${Buffer.from(`${mainKey}:`).toString('base64')}`,
  ),
  'AUTH-7 accepts a key under the scheme Token': serves(
    ({ authorization }) => authorization === `Token ${mainKey}`,
  ),
  'AUTH-7 accepts a key without a scheme': serves(({ authorization }) => authorization === mainKey),
  'AUTH-8 accepts an empty token': serves(hasEmptyToken),
  'AUTH-9 rejects a valid key once': editRequest(queryIs('limit', '101'), { authorization: undefined }),
  'AUTH-10 sends a 401 without a challenge': on(401, always, headers({ 'www-authenticate': undefined })),
  'AUTH-11 accepts the scheme in one spelling only': editRequest(
    ({ authorization }) => authorization?.startsWith('Bearer ') === false,
    { authorization: undefined },
  ),
  'AUTH-12 accepts a key in the query': serves(queryIs('access_token', throttleKey)),
  'AUTH-13 validates the limit before the key': rejects(400, isList, isAnonymous, queryIs('limit', '0')),
  'AUTH-13 looks up the animal before it checks the key': also(
    'AUTH-2',
    rejects(404, isUnknownGet, isAnonymous),
  ),
  'AUTH-14 validates the body before the key': rejects(400, isInvalidCreate, isAnonymous),
  'AUTH-14 validates the body before it rejects an unknown key': rejects(
    400,
    isInvalidCreate,
    isAnonymous,
    hasKey,
  ),
  'AUTH-15 accepts a key with a character more': serves(
    hasTokenLike((token) => token.startsWith(throttleKey)),
  ),
  'AUTH-15 accepts the beginning of a key': serves(
    hasTokenLike((token) => token !== '' && throttleKey.startsWith(token)),
  ),
  'AUTH-15 compares keys without regard to case': serves(
    hasTokenLike((token) => token.toLowerCase() === throttleKey.toLowerCase()),
  ),
  'AUTH-16 accepts a key in X-API-Key': serves(({ apiKey }) => apiKey === throttleKey),
})
