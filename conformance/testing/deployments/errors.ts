import {
  always,
  body,
  createsWith,
  headers,
  html,
  type ItemEdit,
  isGet,
  isUnknown,
  items,
  on,
  queryIs,
  type When,
} from './change.ts'
import type { Change } from './deployment.ts'
import { createErrorResponse } from './exchange.ts'
import { also, type Broken, brokenBy, idsIn } from './variant.ts'

const isBeyondInt64Get: When = (request) => isGet(request) && /^\d{20,}$/.test(request.petId)
/** Changes the Error of every 404 of getPet. */
const notFound = (edit: ItemEdit): Change => on(404, isGet, items(edit))

/** Variants that break section 7. */
export const brokenErrors: readonly Broken[] = brokenBy({
  'ERR-1 sends a number as the code of an error': notFound({ code: 404n }),
  'ERR-1 sends its errors without a body': also(idsIn('ERR', 2, 3), on(404, isGet, body(''))),
  'ERR-1 sends its errors as HTML': also(idsIn('ERR', 2, 3, 4), on(404, isGet, html('<h1>Not found</h1>'))),
  'ERR-1 has a router that responds to an unknown method with an HTML page': {
    profile: 'all',
    alsoBreaks: [...idsIn('ERR', 2, 3, 4), ...idsIn('RATE', 1, 2, 3)],
    middleware: (request, next) =>
      isUnknown(request) && request.method === 'POST'
        ? { status: 405, headers: { 'content-type': 'text/html' }, body: '<h1>Method not allowed</h1>' }
        : next(request),
  },
  'ERR-2 sends null as the message of an error': notFound({ message: null }),
  'ERR-3 sends another status in the body of an error': notFound({ status: 400n }),
  'ERR-4 labels its errors as problem details': on(
    401,
    always,
    headers({ 'content-type': 'application/problem+json' }),
  ),
  'ERR-4 sends its errors without a content type': on(400, always, headers({ 'content-type': undefined })),
  'ERR-5 sends an error with an empty code': notFound({ code: '' }),
  'ERR-5 sends an error with an empty message': notFound({ message: '' }),
  'ERR-6 has a gateway that fails with 503 on an invalid limit': on(
    400,
    queryIs('limit', 'abc'),
    createErrorResponse(503),
  ),
  'ERR-6 fails with 500 on an id beyond int64': {
    profile: 'read',
    ...on(404, isBeyondInt64Get, createErrorResponse(500)),
  },
  'ERR-6 fails with 500 on a limit beyond int64': {
    profile: 'read',
    ...on(400, ({ query: { limit = '' } }) => limit.length > 19, createErrorResponse(500)),
  },
  'ERR-6 fails with 500 on U+0000 in a name': on(
    201,
    createsWith(({ name }) => String(name).includes('\0')),
    createErrorResponse(500),
  ),
  'ERR-7 has a router that responds to unknown paths with an HTML page': on(
    404,
    isUnknown,
    html('<pre>Cannot GET</pre>'),
  ),
  'ERR-7 responds to unknown paths without the rate-limit headers': on(
    404,
    isUnknown,
    headers({ 'x-ratelimit-limit': undefined }),
  ),
  'ERR-7 serves an application for every unknown path': on(404, isUnknown, {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: '<div id="app"></div>',
  }),
})
