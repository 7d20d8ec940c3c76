import {
  allOf,
  editOn,
  editRequest,
  everyRequest,
  hasQuery,
  isAnonymous,
  isCreate,
  isGet,
  isList,
  negateCondition,
  readRequestJson,
  setHeaders,
  type When,
} from './change.ts'
import type { Change } from './deployment.ts'
import { type ApiRequest, createErrorResponse, findCaller } from './exchange.ts'
import { isObject } from './json.ts'
import { addBrokenRules, type BrokenDeployment, createBroken } from './variant.ts'
import { mainKey, throttleKey } from './world.ts'

const hasKey: When = ({ authorization }) => authorization !== undefined
const lacksKey = negateCondition(hasKey)
const readToken = ({ authorization = '' }: ApiRequest): string =>
  /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
const hasUnknownKey: When = (request) => readToken(request) !== '' && isAnonymous(request)
const hasEmptyToken: When = ({ authorization = '' }) => /^bearer *$/i.test(authorization)
/** Selects requests whose token meets a condition and is not the throttle key itself. */
const hasTokenLike = (condition: (token: string) => boolean): When =>
  allOf(
    (request) => findCaller(request) !== throttleKey,
    (request) => condition(readToken(request)),
  )

/** Serves the requests as if they had the main key. */
const serveRequests = (...conditions: readonly When[]): Change =>
  editRequest(allOf(...conditions), { authorization: `Bearer ${mainKey}` })
const rejectWith = (status: number, ...conditions: readonly When[]): Change =>
  editOn(401, allOf(...conditions), createErrorResponse(status))

const isGetWithUnknownId: When = (request) => isGet(request) && /^\d{15,}$/.test(request.petId)
const isInvalidCreate: When = (request) => {
  const body = readRequestJson(request)
  return isCreate(request) && !(isObject(body) && 'name' in body && 'categoryId' in body)
}

/** Deployments that break rules about authentication (section 5). */
export const brokenAuthDeployments: readonly BrokenDeployment[] = createBroken({
  'AUTH-1: serves listPets to a client without a key': addBrokenRules(
    'AUTH-13',
    serveRequests(isList, lacksKey),
  ),
  'AUTH-2: serves getPet to a client without a key': addBrokenRules(
    'AUTH-13',
    serveRequests(isGet, lacksKey),
  ),
  'AUTH-3: serves createPet to a client without a key': addBrokenRules(
    'AUTH-14',
    serveRequests(isCreate, lacksKey),
  ),
  'AUTH-4: accepts every key that has the format of a real key': serveRequests((request) =>
    /^pets_[a-z]+_[0-9a-f]{12}$/.test(readToken(request)),
  ),
  'AUTH-5: serves getPet to a client with an unknown key': serveRequests(isGet, hasUnknownKey),
  'AUTH-6: serves createPet to a client with an unknown key': addBrokenRules(
    'AUTH-14',
    serveRequests(isCreate, hasUnknownKey),
  ),
  'AUTH-7: accepts the API key as the user name of Basic authentication': serveRequests(
    ({ authorization }) => authorization === `Basic ${Buffer.from(`${mainKey}:`).toString('base64')}`,
  ),
  'AUTH-7: accepts the API key under the scheme Token instead of Bearer': serveRequests(
    ({ authorization }) => authorization === `Token ${mainKey}`,
  ),
  'AUTH-7: accepts an Authorization header that has the API key but no scheme': serveRequests(
    ({ authorization }) => authorization === mainKey,
  ),
  'AUTH-8: accepts an empty bearer token': serveRequests(hasEmptyToken),
  'AUTH-9: rejects one request with a valid key': editRequest(hasQuery('limit', '101'), {
    authorization: undefined,
  }),
  'AUTH-10: sends a 401 without a WWW-Authenticate header': editOn(
    401,
    everyRequest,
    setHeaders({ 'www-authenticate': undefined }),
  ),
  'AUTH-11: rejects the scheme bearer in lower case': editRequest(
    ({ authorization }) => authorization?.startsWith('Bearer ') === false,
    { authorization: undefined },
  ),
  'AUTH-12: accepts the API key as a query parameter': serveRequests(hasQuery('access_token', throttleKey)),
  'AUTH-13: validates the limit parameter before it checks the API key': rejectWith(
    400,
    isList,
    isAnonymous,
    hasQuery('limit', '0'),
  ),
  'AUTH-13: looks up the animal before it checks the API key': addBrokenRules(
    'AUTH-2',
    rejectWith(404, isGetWithUnknownId, isAnonymous),
  ),
  'AUTH-14: validates the body before it checks the API key': rejectWith(400, isInvalidCreate, isAnonymous),
  'AUTH-14: validates the body of a request with an unknown key': rejectWith(
    400,
    isInvalidCreate,
    isAnonymous,
    hasKey,
  ),
  'AUTH-15: accepts a valid key followed by another character': serveRequests(
    hasTokenLike((token) => token.startsWith(throttleKey)),
  ),
  'AUTH-15: accepts a valid key without its last character': serveRequests(
    hasTokenLike((token) => token !== '' && throttleKey.startsWith(token)),
  ),
  'AUTH-15: ignores the letter case of API keys': serveRequests(
    hasTokenLike((token) => token.toLowerCase() === throttleKey.toLowerCase()),
  ),
  'AUTH-16: accepts the API key in an X-API-Key header': serveRequests(
    ({ apiKey }) => apiKey === throttleKey,
  ),
})
