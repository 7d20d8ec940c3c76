import {
  always,
  editResponse,
  headers,
  isGet,
  isMalformedGet,
  isUnknown,
  items,
  on,
  queryIs,
} from './change.ts'
import type { Change } from './deployment.ts'
import { createErrorResponse, findCaller } from './exchange.ts'
import { type Json, readJson, writeJson } from './json.ts'
import { allowedBy, type Legal } from './variant.ts'
import { mainKey, throttleKey } from './world.ts'

const onErrors = [400, 401, 404]

/** Sets headers on every response. */
const everywhere = (members: Parameters<typeof headers>[0]): Change => editResponse(always, headers(members))

/** Sets the clock of the deployment ahead, in seconds. */
const withClockAhead = (seconds: number): Change =>
  editResponse(always, (response) =>
    headers({
      date: new Date(Date.parse(response.headers.date ?? '') + seconds * 1000).toUTCString(),
      'x-ratelimit-reset': String(Number(response.headers['x-ratelimit-reset']) + seconds),
    })(response),
  )

/** Writes the JSON of every response in another way. */
const rewritten = (rewrite: (text: string) => string): Change =>
  editResponse(always, (response) => ({ ...response, body: rewrite(response.body) }))

const integers = (rewrite: (digits: string) => string): Change =>
  rewritten((text) =>
    text.replace(/"(?:[^"\\]|\\.)*"|-?\d+/g, (token) => (token.startsWith('"') ? token : rewrite(token))),
  )

const escapeAll = (text: string): string =>
  text.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

const backwards = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(backwards)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).reverse())
}

/** Fails once, as a gateway does. */
const gateway = (status: number): Omit<Legal, 'gap' | 'does'> => ({
  warns: ['ERR-6'],
  unproven: ['LIST-8', 'LIST-16'],
  ...editResponse(queryIs('limit', '1'), (response, request) =>
    findCaller(request) === mainKey
      ? { status, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' }
      : response,
  ),
})

/** Variants of what the spec and HTTP leave open about every response. */
export const legalResponses: readonly Legal[] = allowedBy({
  'extra headers: sends additional headers': everywhere({
    server: 'kennel/7',
    'x-request-id': '1',
    'set-cookie': 'a=b',
    vary: 'authorization',
    etag: '"x"',
  }),
  'extra properties: returns additional properties of an animal': on(
    [200, 201],
    always,
    items((pet) => ({ colour: null, ...pet, tags: ['calm'], category: { id: pet.categoryId ?? null } })),
  ),
  'extra properties: returns additional properties of an error': on(
    onErrors,
    always,
    items({ requestId: '7', details: [] }),
  ),
  'error codes: has other error codes and messages': on(
    onErrors,
    always,
    items({ code: 'ERR 4711', message: 'Das geht so nicht – leider.' }),
  ),
  'a malformed id: rejects a malformed id with 422': on(404, isMalformedGet, createErrorResponse(422)),
  'a malformed id: rejects an id that is followed by letters with 400': on(
    404,
    (request) => isGet(request) && /^\d+[a-z]+$/.test(request.petId),
    createErrorResponse(400),
  ),
  'Date: sends no Date': everywhere({ date: undefined }),
  'Date: has a clock that is an hour fast': withClockAhead(3600),
  'Date: has a clock that is five years fast': withClockAhead(5 * 365 * 86_400),
  'the challenge: names a realm in its challenge': on(
    401,
    always,
    headers({ 'www-authenticate': 'Bearer realm="pets", error="invalid_token"' }),
  ),
  'the challenge: offers several schemes in its challenge': on(
    401,
    always,
    headers({ 'www-authenticate': 'Basic realm="a, b", bearer' }),
  ),
  'the network: loses one connection': {
    middleware: (request, next) =>
      request.query.status === 'sold' && request.query.limit === '100'
        ? Promise.reject(new TypeError('fetch failed'))
        : next(request),
  },
  'a gateway: has a gateway that fails once, with 503': gateway(503),
  'malformed credentials: rejects another scheme and an empty token with 400': editResponse(
    ({ authorization }) => authorization !== undefined && !/^bearer +\S+$/i.test(authorization),
    createErrorResponse(400),
  ),
  'malformed credentials: rejects a token that is too long or too short with 400': on(
    401,
    ({ authorization = '' }) => {
      const token = authorization.replace('Bearer ', '')
      return token.startsWith(throttleKey) || (token !== '' && throttleKey.startsWith(token))
    },
    createErrorResponse(400),
  ),
  'unknown paths: rejects every request outside the interface with 403': on(
    404,
    isUnknown,
    createErrorResponse(403),
  ),
  'unknown methods: responds to unknown methods with an Error of the status 405': on(
    404,
    (request) => isUnknown(request) && request.method === 'POST',
    createErrorResponse(405),
  ),
  'unknown paths: responds to unknown paths with an HTML page': {
    warns: ['ERR-7'],
    middleware: (request, next) =>
      isUnknown(request) && request.method === 'GET'
        ? { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not found</h1>' }
        : next(request),
  },
  'content type: writes the content type in capitals': everywhere({
    'content-type': 'Application/JSON;Charset="UTF-8"',
  }),
  'JSON: indents its JSON': rewritten((text) =>
    text.replace(/[{,[\]}](?=(?:[^"]*"[^"]*")*[^"]*$)/g, '$&\r\n\t '),
  ),
  'JSON: writes integers as 7.0': integers((digits) => `${digits}.0`),
  'JSON: writes integers as 70e-1': integers((digits) => `${digits}0e-1`),
  'JSON: escapes characters beyond ASCII': rewritten(escapeAll),
  'JSON: reverses the order of members': rewritten((text) => writeJson(backwards(readJson(text)))),
})
