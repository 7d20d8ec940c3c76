import {
  editItems,
  editOn,
  editResponse,
  everyRequest,
  hasQuery,
  isGet,
  isMalformedGet,
  isUnknownOperation,
  setHeaders,
} from './change.ts'
import type { Change } from './deployment.ts'
import { createErrorResponse, findCaller } from './exchange.ts'
import { type Json, readJson, writeJson } from './json.ts'
import { createLegal, type LegalDeployment } from './variant.ts'
import { mainKey, throttleKey } from './world.ts'

const errorStatuses = [400, 401, 404]

const setHeadersEverywhere = (members: Parameters<typeof setHeaders>[0]): Change =>
  editResponse(everyRequest, setHeaders(members))

/** Sets the server's clock ahead, in `Date` and in `Reset`. */
const advanceServerClock = (seconds: number): Change =>
  editResponse(everyRequest, (response) =>
    setHeaders({
      date: new Date(Date.parse(response.headers.date ?? '') + seconds * 1000).toUTCString(),
      'x-ratelimit-reset': String(Number(response.headers['x-ratelimit-reset']) + seconds),
    })(response),
  )

const rewriteBodies = (rewrite: (text: string) => string): Change =>
  editResponse(everyRequest, (response) => ({ ...response, body: rewrite(response.body) }))

const rewriteIntegers = (rewrite: (digits: string) => string): Change =>
  rewriteBodies((text) =>
    text.replace(/"(?:[^"\\]|\\.)*"|-?\d+/g, (token) => (token.startsWith('"') ? token : rewrite(token))),
  )

const escapeNonAscii = (text: string): string =>
  text.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

const reverseMembers = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(reverseMembers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).reverse())
}

/** A gateway that fails once. */
const failOnceAsGateway = (status: number): Omit<LegalDeployment, 'gap' | 'does'> => ({
  warns: ['ERR-6'],
  unproven: ['LIST-8', 'LIST-16'],
  ...editResponse(hasQuery('limit', '1'), (response, request) =>
    findCaller(request) === mainKey
      ? { status, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' }
      : response,
  ),
})

/** Deployments that conform, with unusual headers and bodies. */
export const legalResponseDeployments: readonly LegalDeployment[] = createLegal({
  'additional headers: sends Server, Set-Cookie and ETag': setHeadersEverywhere({
    server: 'kennel/7',
    'x-request-id': '1',
    'set-cookie': 'a=b',
    vary: 'authorization',
    etag: '"x"',
  }),
  'additional members: returns pets with undeclared members': editOn(
    [200, 201],
    everyRequest,
    editItems((pet) => ({ colour: null, ...pet, tags: ['calm'], category: { id: pet.categoryId ?? null } })),
  ),
  'additional members: returns errors with undeclared members': editOn(
    errorStatuses,
    everyRequest,
    editItems({ requestId: '7', details: [] }),
  ),
  'error codes: returns its own error codes and messages': editOn(
    errorStatuses,
    everyRequest,
    editItems({ code: 'ERR 4711', message: 'Das geht so nicht – leider.' }),
  ),
  'malformed petId: returns 422 for a petId that is not a number': editOn(
    404,
    isMalformedGet,
    createErrorResponse(422),
  ),
  'malformed petId: returns 400 for an ID followed by letters': editOn(
    404,
    (request) => isGet(request) && /^\d+[a-z]+$/.test(request.petId),
    createErrorResponse(400),
  ),
  'Date header: sends no Date header': setHeadersEverywhere({ date: undefined }),
  'server clock: sends a Date one hour in the future': advanceServerClock(3600),
  'server clock: sends a Date five years in the future': advanceServerClock(5 * 365 * 86_400),
  'WWW-Authenticate: sends a challenge with a realm': editOn(
    401,
    everyRequest,
    setHeaders({ 'www-authenticate': 'Bearer realm="pets", error="invalid_token"' }),
  ),
  'WWW-Authenticate: sends challenges for two schemes': editOn(
    401,
    everyRequest,
    setHeaders({ 'www-authenticate': 'Basic realm="a, b", bearer' }),
  ),
  'network: closes a connection without a response': {
    middleware: (request, next) =>
      request.query.status === 'sold' && request.query.limit === '100'
        ? Promise.reject(new TypeError('fetch failed'))
        : next(request),
  },
  'gateway errors: returns 503 for one request': failOnceAsGateway(503),
  'malformed credentials: returns 400 for a scheme other than Bearer': editResponse(
    ({ authorization }) => authorization !== undefined && !/^bearer +\S+$/i.test(authorization),
    createErrorResponse(400),
  ),
  'malformed credentials: returns 400 for a token of the wrong length': editOn(
    401,
    ({ authorization = '' }) => {
      const token = authorization.replace('Bearer ', '')
      return token.startsWith(throttleKey) || (token !== '' && throttleKey.startsWith(token))
    },
    createErrorResponse(400),
  ),
  'unknown paths: returns 403 for an unknown path': editOn(404, isUnknownOperation, createErrorResponse(403)),
  'unsupported methods: returns 405 with an Error': editOn(
    404,
    (request) => isUnknownOperation(request) && request.method === 'POST',
    createErrorResponse(405),
  ),
  'unknown paths: returns an HTML page for an unknown path': {
    warns: ['ERR-7'],
    middleware: (request, next) =>
      isUnknownOperation(request) && request.method === 'GET'
        ? { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not found</h1>' }
        : next(request),
  },
  'content type: sends Application/JSON with a charset': setHeadersEverywhere({
    'content-type': 'Application/JSON;Charset="UTF-8"',
  }),
  'JSON format: indents response bodies': rewriteBodies((text) =>
    text.replace(/[{,[\]}](?=(?:[^"]*"[^"]*")*[^"]*$)/g, '$&\r\n\t '),
  ),
  'JSON format: writes the integer 7 as 7.0': rewriteIntegers((digits) => `${digits}.0`),
  'JSON format: writes the integer 7 as 70e-1': rewriteIntegers((digits) => `${digits}0e-1`),
  'JSON format: escapes non-ASCII characters': rewriteBodies(escapeNonAscii),
  'JSON format: reverses the order of members': rewriteBodies((text) =>
    writeJson(reverseMembers(readJson(text))),
  ),
})
