import {
  always,
  editResponse,
  editResponseWith,
  isGet,
  isMalformedGet,
  queryIs,
  replaceResponse,
  setHeaders,
} from '../change.ts'
import type { Change } from '../deployment.ts'
import { replaced, withEach, withHeaders } from '../edit.ts'
import { type ApiResponse, callerOf, errorResponse } from '../exchange.ts'
import { readJson, writeJson } from '../json.ts'
import type { Legal } from '../variant.ts'
import { mainKey, throttleKey } from '../world.ts'

/** Sets headers on every response. */
const onEvery = (headers: Readonly<Record<string, string | undefined>>): Change =>
  editResponse(always, (response) => withHeaders(response, headers))

/** Sets the clock of the deployment so many seconds ahead. */
const withClockAhead = (seconds: number): Change =>
  editResponse(always, (response) =>
    withHeaders(response, {
      date: new Date(Date.parse(response.headers.date ?? '') + seconds * 1000).toUTCString(),
      'x-ratelimit-reset': String(Number(response.headers['x-ratelimit-reset']) + seconds),
    }),
  )

/** Writes the JSON of every response in another way. */
const rewritten = (rewrite: (text: string) => string): Change =>
  editResponse(always, (response) => ({ ...response, body: rewrite(response.body) }))

const integers = (rewrite: (digits: string) => string) => (text: string) =>
  text.replace(/"(?:[^"\\]|\\.)*"|-?\d+/g, (token) => (token.startsWith('"') ? token : rewrite(token)))

const escapeAll = (text: string): string =>
  text.replace(/[^ -~]/g, (character) =>
    [...Array(character.length).keys()]
      .map((n) => `\\u${character.charCodeAt(n).toString(16).padStart(4, '0')}`)
      .join(''),
  )

const onErrors = (edit: (response: ApiResponse) => ApiResponse): Change =>
  editResponseWith([400, 401, 404], always, edit)

/** Variants of what the spec and HTTP leave open about every response. */
export const legalResponses: readonly Legal[] = [
  {
    gap: 'extra headers',
    does: 'sends additional headers',
    change: onEvery({
      server: 'kennel/7',
      'x-request-id': '1',
      'set-cookie': 'a=b',
      vary: 'authorization',
      etag: '"x"',
    }),
  },
  {
    gap: 'extra properties',
    does: 'returns additional properties of an animal',
    change: editResponseWith([200, 201], always, (response) =>
      withEach(response, (pet) => ({
        colour: null,
        ...pet,
        tags: ['calm'],
        category: { id: pet.categoryId ?? null },
      })),
    ),
  },
  {
    gap: 'extra properties',
    does: 'returns additional properties of an error',
    change: onErrors((response) =>
      withEach(response, (error) => ({ ...error, requestId: '7', details: [] })),
    ),
  },
  {
    gap: 'error codes',
    does: 'has other error codes and messages',
    change: onErrors((response) =>
      withEach(response, (error) => ({ ...error, code: 'ERR 4711', message: 'Das geht so nicht – leider.' })),
    ),
  },
  {
    gap: 'a malformed id',
    does: 'rejects a malformed id with 400',
    change: replaceResponse([404], isMalformedGet, errorResponse(400)),
  },
  {
    gap: 'a malformed id',
    does: 'rejects a malformed id with 422',
    change: replaceResponse([404], isMalformedGet, errorResponse(422)),
  },
  {
    gap: 'a malformed id',
    does: 'rejects an id that is followed by letters with 400',
    change: replaceResponse(
      [404],
      (request) => isGet(request) && /^\d+[a-z]+$/.test(request.petId),
      errorResponse(400),
    ),
  },
  { gap: 'Date', does: 'sends no Date', change: onEvery({ date: undefined }) },
  {
    gap: 'Date',
    does: 'has a clock that is an hour fast',
    change: withClockAhead(3600),
  },
  {
    gap: 'Date',
    does: 'has a clock that is five years fast',
    change: withClockAhead(5 * 365 * 86_400),
  },
  {
    gap: 'the challenge',
    does: 'names a realm in its challenge',
    change: setHeaders([401], always, { 'www-authenticate': 'Bearer realm="pets", error="invalid_token"' }),
  },
  {
    gap: 'the challenge',
    does: 'offers several schemes in its challenge',
    change: setHeaders([401], always, { 'www-authenticate': 'Basic realm="a, b", bearer' }),
  },
  ...[502, 503, 504].map(
    (status): Legal => ({
      gap: 'a gateway',
      does: `has a gateway that fails once, with ${status}`,
      warns: ['ERR-6'],
      unproven: ['LIST-8', 'LIST-16'],
      change: editResponse(queryIs('limit', '1'), (response, request) =>
        callerOf(request) === mainKey
          ? { status, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' }
          : response,
      ),
    }),
  ),
  {
    gap: 'the network',
    does: 'loses one connection',
    unproven: ['LIST-14'],
    change: {
      middleware: (request, next) =>
        request.query.status === 'sold' && request.query.limit === '100'
          ? Promise.reject(new TypeError('fetch failed'))
          : next(request),
    },
  },
  {
    gap: 'malformed credentials',
    does: 'rejects another scheme and an empty token with 400',
    change: {
      middleware: (request, next) => {
        const { authorization } = request
        const response = next(request)
        if (authorization === undefined || /^bearer +\S+$/i.test(authorization)) return response
        return replaced(response, errorResponse(400))
      },
    },
  },
  {
    gap: 'malformed credentials',
    does: 'rejects a token that is too long or too short with 400',
    change: editResponseWith(
      [401],
      ({ authorization = '' }) => {
        const token = authorization.replace('Bearer ', '')
        return token.startsWith(throttleKey) || (token !== '' && throttleKey.startsWith(token))
      },
      (response) => replaced(response, errorResponse(400)),
    ),
  },
  {
    gap: 'unknown paths',
    does: 'rejects every request outside the interface with 403',
    change: replaceResponse([404], (request) => request.operation === 'none', errorResponse(403)),
  },
  {
    gap: 'unknown methods',
    does: 'has a router that responds to unknown methods with an HTML page',
    change: {
      middleware: (request, next) =>
        request.operation === 'none' && request.method === 'POST'
          ? { status: 405, headers: { 'content-type': 'text/html' }, body: '<h1>Method not allowed</h1>' }
          : next(request),
    },
  },
  {
    gap: 'content type',
    does: 'sends the charset in its content type',
    change: onEvery({ 'content-type': 'application/json; charset=utf-8' }),
  },
  {
    gap: 'content type',
    does: 'writes the content type in capitals',
    change: onEvery({ 'content-type': 'Application/JSON;Charset="UTF-8"' }),
  },
  {
    gap: 'JSON',
    does: 'indents its JSON',
    change: rewritten((text) => text.replace(/[{,[\]}](?=(?:[^"]*"[^"]*")*[^"]*$)/g, '$&\r\n\t ')),
  },
  { gap: 'JSON', does: 'writes integers as 7.0', change: rewritten(integers((digits) => `${digits}.0`)) },
  { gap: 'JSON', does: 'writes integers as 7e0', change: rewritten(integers((digits) => `${digits}E+0`)) },
  { gap: 'JSON', does: 'writes integers as 70e-1', change: rewritten(integers((digits) => `${digits}0e-1`)) },
  { gap: 'JSON', does: 'escapes characters beyond ASCII', change: rewritten(escapeAll) },
  {
    gap: 'JSON',
    does: 'reverses the order of members',
    change: rewritten((text) => writeJson(reversed(text))),
  },
]

function reversed(text: string): ReturnType<typeof readJson> {
  const backwards = (value: ReturnType<typeof readJson>): ReturnType<typeof readJson> => {
    if (Array.isArray(value)) return value.map(backwards)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).reverse())
  }
  return backwards(readJson(text))
}
