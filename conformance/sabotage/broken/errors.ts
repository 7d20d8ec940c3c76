import {
  always,
  createsWith,
  editItems,
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
import { type Broken, brokenBy } from '../variant.ts'

const isBeyondInt64Get: When = (request) => isGet(request) && /^\d{20,}$/.test(request.petId)

/** Changes the body of every 404 of getPet. */
const notFound = (edit: (error: JsonObject) => JsonObject) => editItems([404], isGet, edit)
/** A request for a path that the interface does not have. */
const leadsNowhere: When = (request) => request.operation === 'none'
/** Changes the response to a path that leads nowhere. */
const nowhere = (edit: (response: ApiResponse) => ApiResponse) => editResponseWith([404], leadsNowhere, edit)

/** Variants that break section 7. */
export const brokenErrors: readonly Broken[] = brokenBy({
  'ERR-1': {
    'sends errors without a code': notFound((error) => without(error, 'code')),
    'sends a number as the code of an error': notFound((error) => ({ ...error, code: 404n })),
    'wraps its errors in another object': {
      alsoBreaks: ['ERR-2', 'ERR-3'],
      ...notFound((error) => ({ error })),
    },
    'sends its errors without a body': {
      alsoBreaks: ['ERR-2', 'ERR-3'],
      ...editResponseWith([404], isGet, (response) => ({ ...response, body: '' })),
    },
    'sends its errors as HTML': {
      alsoBreaks: ['ERR-2', 'ERR-3', 'ERR-4'],
      ...editResponseWith([404], isGet, (response) => ({
        ...withHeaders(response, { 'content-type': 'text/html' }),
        body: '<h1>Not found</h1>',
      })),
    },
    'sends its errors in an array': {
      alsoBreaks: ['ERR-2', 'ERR-3'],
      ...editResponseWith([404], isGet, (response) => withJson(response, (error) => [error])),
    },
  },
  'ERR-2': {
    'sends errors without a message': notFound((error) => without(error, 'message')),
    'sends null as the message of an error': notFound((error) => ({ ...error, message: null })),
  },
  'ERR-3': {
    'sends errors without a status': notFound((error) => without(error, 'status')),
    'sends the status of an error as a string': notFound((error) => ({ ...error, status: '404' })),
    'sends another status in the body of an error': notFound((error) => ({ ...error, status: 400n })),
  },
  'ERR-4': {
    'labels its errors as plain text': setHeaders([404], isGet, { 'content-type': 'text/plain' }),
    'labels its errors as problem details': setHeaders([401], always, {
      'content-type': 'application/problem+json',
    }),
    'sends its errors without a content type': setHeaders([400], always, { 'content-type': undefined }),
  },
  'ERR-5': {
    'sends an error with an empty code': notFound((error) => ({ ...error, code: '' })),
    'sends an error with an empty message': notFound((error) => ({ ...error, message: '' })),
  },
  'ERR-6': {
    'has a gateway that fails with 503 on an invalid limit': replaceResponse(
      [400],
      queryIs('limit', 'abc'),
      errorResponse(503),
    ),
    'fails with 500 on a malformed id': {
      alsoBreaks: ['GET-5'],
      ...replaceResponse([404], isMalformedGet, errorResponse(500)),
    },
    'fails with 500 on an id beyond int64': {
      profile: 'read',
      ...replaceResponse([404], isBeyondInt64Get, errorResponse(500)),
    },
    'fails with 500 on a limit beyond int64': {
      profile: 'read',
      ...replaceResponse([400], (request) => (request.query.limit ?? '').length > 19, errorResponse(500)),
    },
    'fails with 500 on U+0000 in a name': replaceResponse(
      [201],
      createsWith(({ name }) => typeof name === 'string' && name.includes('\0')),
      errorResponse(500),
    ),
  },
  'ERR-7': {
    'has a router that responds to unknown paths with an HTML page': nowhere((response) => ({
      ...withHeaders(response, { 'content-type': 'text/html' }),
      body: '<pre>Cannot GET</pre>',
    })),
    'has a router that responds to unknown paths in its own shape': nowhere((response) =>
      withEach(response, ({ message = '' }) => ({ error: 'Not Found', message })),
    ),
    'responds to unknown paths without the rate-limit headers': nowhere((response) =>
      withHeaders(response, { 'x-ratelimit-limit': undefined }),
    ),
    'serves an application for every unknown path': nowhere((response) => ({
      ...withHeaders(response, { 'content-type': 'text/html' }),
      status: 200,
      body: '<div id="app"></div>',
    })),
  },
})
