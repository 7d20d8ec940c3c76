import { always, editResponseWith, isMalformedGet, queryIs, replaceResponse, setHeaders } from '../change.ts'
import { withEach, withHeaders, withJson, without } from '../edit.ts'
import { type ApiResponse, errorResponse } from '../exchange.ts'
import type { JsonObject } from '../json.ts'
import type { Broken } from '../variant.ts'

/** Changes the body of every 404. */
const notFound = (edit: (error: JsonObject) => JsonObject) =>
  editResponseWith([404], always, (response: ApiResponse) => withEach(response, edit))

/** What breaks section 7. */
export const brokenErrors: readonly Broken[] = [
  { rule: 'ERR-1', does: 'leaves out the code', change: notFound((error) => without(error, 'code')) },
  {
    rule: 'ERR-1',
    does: 'sends a number as the code',
    change: notFound((error) => ({ ...error, code: 404n })),
  },
  {
    rule: 'ERR-1',
    does: 'wraps its errors',
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
    does: 'sends its errors in a list',
    alsoBreaks: ['ERR-2', 'ERR-3'],
    change: editResponseWith([404], always, (response) => withJson(response, (error) => [error])),
  },
  { rule: 'ERR-2', does: 'leaves out the message', change: notFound((error) => without(error, 'message')) },
  {
    rule: 'ERR-2',
    does: 'sends null as the message',
    change: notFound((error) => ({ ...error, message: null })),
  },
  { rule: 'ERR-3', does: 'leaves out the status', change: notFound((error) => without(error, 'status')) },
  {
    rule: 'ERR-3',
    does: 'sends the status as text',
    change: notFound((error) => ({ ...error, status: '404' })),
  },
  { rule: 'ERR-3', does: 'sends another status', change: notFound((error) => ({ ...error, status: 400n })) },
  {
    rule: 'ERR-4',
    does: 'sends its errors as text',
    change: setHeaders([404], always, { 'content-type': 'text/plain' }),
  },
  {
    rule: 'ERR-4',
    does: 'sends its errors as problem details',
    change: setHeaders([401], always, { 'content-type': 'application/problem+json' }),
  },
  {
    rule: 'ERR-4',
    does: 'sends its errors without a content type',
    change: setHeaders([400], always, { 'content-type': undefined }),
  },
  { rule: 'ERR-5', does: 'sends an empty code', change: notFound((error) => ({ ...error, code: '' })) },
  { rule: 'ERR-5', does: 'sends an empty message', change: notFound((error) => ({ ...error, message: '' })) },
  {
    rule: 'ERR-6',
    does: 'has a gateway that trips over a bad limit',
    change: replaceResponse([400], queryIs('limit', 'abc'), errorResponse(503)),
  },
  {
    rule: 'ERR-6',
    does: 'trips over a malformed id',
    alsoBreaks: ['GET-5'],
    change: replaceResponse([404], isMalformedGet, errorResponse(500)),
  },
]
