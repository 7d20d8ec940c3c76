import { always, editResponseWith, isMalformedGet, queryIs, replaceResponse, setHeaders } from '../change.ts'
import { withEach, withHeaders, withJson, without } from '../edit.ts'
import { type ApiResponse, errorResponse } from '../exchange.ts'
import type { JsonObject } from '../json.ts'
import type { Broken } from '../variant.ts'

/** Changes the body of every 404. */
const notFound = (edit: (error: JsonObject) => JsonObject) =>
  editResponseWith([404], always, (response: ApiResponse) => withEach(response, edit))

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
    change: editResponseWith([404], always, (response) => ({ ...response, body: '' })),
  },
  {
    rule: 'ERR-1',
    does: 'sends its errors as HTML',
    alsoBreaks: ['ERR-2', 'ERR-3', 'ERR-4'],
    change: editResponseWith([404], always, (response) => ({
      ...withHeaders(response, { 'content-type': 'text/html' }),
      body: '<h1>Not found</h1>',
    })),
  },
  {
    rule: 'ERR-1',
    does: 'sends its errors in an array',
    alsoBreaks: ['ERR-2', 'ERR-3'],
    change: editResponseWith([404], always, (response) => withJson(response, (error) => [error])),
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
    change: setHeaders([404], always, { 'content-type': 'text/plain' }),
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
]
