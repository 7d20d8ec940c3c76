import {
  always,
  editResponse,
  editResponseWith,
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
import { mainKey } from '../world.ts'

/** Sets headers on every answer. */
const headed = (headers: Readonly<Record<string, string | undefined>>): Change =>
  editResponse(always, (response) => withHeaders(response, headers))

/** Has a clock that is fast by so many seconds. */
const later = (seconds: number): Change =>
  editResponse(always, (response) =>
    withHeaders(response, {
      date: new Date(Date.parse(response.headers.date ?? '') + seconds * 1000).toUTCString(),
      'x-ratelimit-reset': String(Number(response.headers['x-ratelimit-reset']) + seconds),
    }),
  )

/** Spells the JSON of every answer in another way. */
const spelt = (spell: (text: string) => string): Change =>
  editResponse(always, (response) => ({ ...response, body: spell(response.body) }))

const integers = (spell: (digits: string) => string) => (text: string) =>
  text.replace(/"(?:[^"\\]|\\.)*"|-?\d+/g, (token) => (token.startsWith('"') ? token : spell(token)))

const escapeAll = (text: string): string =>
  text.replace(/[^ -~]/g, (character) =>
    [...Array(character.length).keys()]
      .map((n) => `\\u${character.charCodeAt(n).toString(16).padStart(4, '0')}`)
      .join(''),
  )

const onErrors = (edit: (response: ApiResponse) => ApiResponse): Change =>
  editResponseWith([400, 401, 404], always, edit)

/** Every way to word an answer that the spec and HTTP leave open. */
export const legalResponses: readonly Legal[] = [
  {
    gap: 'extra headers',
    does: 'sends headers of its own',
    change: headed({
      server: 'kennel/7',
      'x-request-id': '1',
      'set-cookie': 'a=b',
      vary: 'authorization',
      etag: '"x"',
    }),
  },
  {
    gap: 'extra properties',
    does: 'has more to say of an animal',
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
    does: 'has more to say of an error',
    change: onErrors((response) =>
      withEach(response, (error) => ({ ...error, requestId: '7', details: [] })),
    ),
  },
  {
    gap: 'error codes',
    does: 'has codes and messages of its own',
    change: onErrors((response) =>
      withEach(response, (error) => ({ ...error, code: 'ERR 4711', message: 'Das geht so nicht – leider.' })),
    ),
  },
  {
    gap: 'an unknown id',
    does: 'refuses a malformed id with 400',
    change: replaceResponse([404], isMalformedGet, errorResponse(400)),
  },
  {
    gap: 'an unknown id',
    does: 'refuses a malformed id with 422',
    change: replaceResponse([404], isMalformedGet, errorResponse(422)),
  },
  { gap: 'Date', does: 'sends no Date', change: headed({ date: undefined }) },
  {
    gap: 'Date',
    does: 'has a clock that is an hour fast',
    change: later(3600),
  },
  {
    gap: 'Date',
    does: 'has a clock that is five years fast',
    change: later(5 * 365 * 86_400),
  },
  {
    gap: 'the challenge',
    does: 'names a realm',
    change: setHeaders([401], always, { 'www-authenticate': 'Bearer realm="pets", error="invalid_token"' }),
  },
  {
    gap: 'the challenge',
    does: 'offers several schemes',
    change: setHeaders([401], always, { 'www-authenticate': 'Basic realm="a, b", bearer' }),
  },
  ...[502, 503, 504].map(
    (status): Legal => ({
      gap: 'a gateway',
      does: `has a gateway in front that fails once, with ${status}`,
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
    does: 'loses a connection',
    unproven: ['LIST-13'],
    change: {
      middleware: (request, next) =>
        request.query.status === 'pending' && request.query.limit === undefined
          ? Promise.reject(new TypeError('fetch failed'))
          : next(request),
    },
  },
  {
    gap: 'malformed credentials',
    does: 'answers 400 to another scheme and to an empty token',
    unproven: ['AUTH-7', 'AUTH-8'],
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
    gap: 'content type',
    does: 'names the charset',
    change: headed({ 'content-type': 'application/json; charset=utf-8' }),
  },
  {
    gap: 'content type',
    does: 'writes the content type in capitals',
    change: headed({ 'content-type': 'Application/JSON;Charset="UTF-8"' }),
  },
  {
    gap: 'JSON',
    does: 'indents its JSON',
    change: spelt((text) => text.replace(/[{,[\]}](?=(?:[^"]*"[^"]*")*[^"]*$)/g, '$&\r\n\t ')),
  },
  { gap: 'JSON', does: 'writes integers as 7.0', change: spelt(integers((digits) => `${digits}.0`)) },
  { gap: 'JSON', does: 'writes integers as 7e0', change: spelt(integers((digits) => `${digits}E+0`)) },
  { gap: 'JSON', does: 'writes integers as 70e-1', change: spelt(integers((digits) => `${digits}0e-1`)) },
  { gap: 'JSON', does: 'escapes what is not ASCII', change: spelt(escapeAll) },
  { gap: 'JSON', does: 'orders members backwards', change: spelt((text) => writeJson(reversed(text))) },
]

function reversed(text: string): ReturnType<typeof readJson> {
  const backwards = (value: ReturnType<typeof readJson>): ReturnType<typeof readJson> => {
    if (Array.isArray(value)) return value.map(backwards)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).reverse())
  }
  return backwards(readJson(text))
}
