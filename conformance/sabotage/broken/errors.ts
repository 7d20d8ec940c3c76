import {
  always,
  createsWith,
  editResponseWith,
  isGet,
  isMalformedGet,
  queryIs,
  replaceResponse,
  setHeaders,
  type When,
} from '../change.ts'
import { withEach, withHeaders, withJson, without } from '../edit.ts'
import { type ApiResponse, errorResponse } from '../exchange.ts'
import type { JsonObject } from '../json.ts'
import type { Broken } from '../variant.ts'

const isBeyondInt64Get: When = (request) => isGet(request) && /^\d{20,}$/.test(request.petId)

/** Changes the body of every 404 of getPet. */
const notFound = (edit: (error: JsonObject) => JsonObject) =>
  editResponseWith([404], isGet, (response: ApiResponse) => withEach(response, edit))
/** A request for a path that the interface does not have. */
const leadsNowhere: When = (request) => request.operation === 'none'
/** Changes the response to a path that leads nowhere. */
const nowhere = (edit: (response: ApiResponse) => ApiResponse) => editResponseWith([404], leadsNowhere, edit)

/** Variants that break section 7. */
export const brokenErrors: readonly Broken[] = [
  { rule: 'ERR-1', does: 'sends errors without a code', change: notFound((error) => without(error, 'code')) },
  {
    rule: 'ERR-1',
    does: 'sends a number as the code of an error',
    change: notFound((error) => ({ ...error, code: 404n })),
  },
  {
    rule: 'ERR-1',
    does: 'wraps its errors in another object',
    alsoBreaks: ['ERR-2', 'ERR-3'],
    change: notFound((error) => ({ error })),
  },
  {
    rule: 'ERR-1',
    does: 'sends its errors without a body',
    alsoBreaks: ['ERR-2', 'ERR-3'],
    change: editResponseWith([404], isGet, (response) => ({ ...response, body: '' })),
  },
  {
    rule: 'ERR-1',
    does: 'sends its errors as HTML',
    alsoBreaks: ['ERR-2', 'ERR-3', 'ERR-4'],
    change: editResponseWith([404], isGet, (response) => ({
      ...withHeaders(response, { 'content-type': 'text/html' }),
      body: '<h1>Not found</h1>',
    })),
  },
  {
    rule: 'ERR-1',
    does: 'sends its errors in an array',
    alsoBreaks: ['ERR-2', 'ERR-3'],
    change: editResponseWith([404], isGet, (response) => withJson(response, (error) => [error])),
  },
  {
    rule: 'ERR-2',
    does: 'sends errors without a message',
    change: notFound((error) => without(error, 'message')),
  },
  {
    rule: 'ERR-2',
    does: 'sends null as the message of an error',
    change: notFound((error) => ({ ...error, message: null })),
  },
  {
    rule: 'ERR-3',
    does: 'sends errors without a status',
    change: notFound((error) => without(error, 'status')),
  },
  {
    rule: 'ERR-3',
    does: 'sends the status of an error as a string',
    change: notFound((error) => ({ ...error, status: '404' })),
  },
  {
    rule: 'ERR-3',
    does: 'sends another status in the body of an error',
    change: notFound((error) => ({ ...error, status: 400n })),
  },
  {
    rule: 'ERR-4',
    does: 'labels its errors as plain text',
    change: setHeaders([404], isGet, { 'content-type': 'text/plain' }),
  },
  {
    rule: 'ERR-4',
    does: 'labels its errors as problem details',
    change: setHeaders([401], always, { 'content-type': 'application/problem+json' }),
  },
  {
    rule: 'ERR-4',
    does: 'sends its errors without a content type',
    change: setHeaders([400], always, { 'content-type': undefined }),
  },
  {
    rule: 'ERR-5',
    does: 'sends an error with an empty code',
    change: notFound((error) => ({ ...error, code: '' })),
  },
  {
    rule: 'ERR-5',
    does: 'sends an error with an empty message',
    change: notFound((error) => ({ ...error, message: '' })),
  },
  {
    rule: 'ERR-6',
    does: 'has a gateway that fails with 503 on an invalid limit',
    change: replaceResponse([400], queryIs('limit', 'abc'), errorResponse(503)),
  },
  {
    rule: 'ERR-6',
    does: 'fails with 500 on a malformed id',
    alsoBreaks: ['GET-5'],
    change: replaceResponse([404], isMalformedGet, errorResponse(500)),
  },
  {
    rule: 'ERR-6',
    does: 'fails with 500 on an id beyond int64',
    profile: 'read',
    change: replaceResponse([404], isBeyondInt64Get, errorResponse(500)),
  },
  {
    rule: 'ERR-6',
    does: 'fails with 500 on a limit beyond int64',
    profile: 'read',
    change: replaceResponse([400], (request) => (request.query.limit ?? '').length > 19, errorResponse(500)),
  },
  {
    rule: 'ERR-6',
    does: 'fails with 500 on U+0000 in a name',
    change: replaceResponse(
      [201],
      createsWith(({ name }) => typeof name === 'string' && name.includes('\0')),
      errorResponse(500),
    ),
  },
  {
    rule: 'ERR-7',
    does: 'has a router that responds to unknown paths with an HTML page',
    change: nowhere((response) => ({
      ...withHeaders(response, { 'content-type': 'text/html' }),
      body: '<pre>Cannot GET</pre>',
    })),
  },
  {
    rule: 'ERR-7',
    does: 'has a router that responds to unknown paths in its own shape',
    change: nowhere((response) =>
      withEach(response, ({ message = '' }) => ({ error: 'Not Found', message })),
    ),
  },
  {
    rule: 'ERR-7',
    does: 'responds to unknown paths without the rate-limit headers',
    change: nowhere((response) => withHeaders(response, { 'x-ratelimit-limit': undefined })),
  },
  {
    rule: 'ERR-7',
    does: 'serves an application for every unknown path',
    change: nowhere((response) => ({
      ...withHeaders(response, { 'content-type': 'text/html' }),
      status: 200,
      body: '<div id="app"></div>',
    })),
  },
]
