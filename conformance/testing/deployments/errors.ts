import {
  editItems,
  editOn,
  everyRequest,
  hasQuery,
  type ItemEdit,
  isCreateWith,
  isGet,
  isUnknownOperation,
  setBody,
  setHeaders,
  setHtml,
  type When,
} from './change.ts'
import type { Change } from './deployment.ts'
import { createErrorResponse } from './exchange.ts'
import { addBrokenRules, type BrokenDeployment, createBroken, listFamilyIds } from './variant.ts'

const isBeyondInt64Get: When = (request) => isGet(request) && /^\d{20,}$/.test(request.petId)
const editNotFound = (edit: ItemEdit): Change => editOn(404, isGet, editItems(edit))

/** Deployments that break rules about the Error body (section 7). */
export const brokenErrorDeployments: readonly BrokenDeployment[] = createBroken({
  'ERR-1: returns an Error whose code is a number': editNotFound({ code: 404n }),
  'ERR-1: returns errors without a body': addBrokenRules(
    listFamilyIds('ERR', 2, 3),
    editOn(404, isGet, setBody('')),
  ),
  'ERR-1: returns errors as HTML pages': addBrokenRules(
    listFamilyIds('ERR', 2, 3, 4),
    editOn(404, isGet, setHtml('<h1>Not found</h1>')),
  ),
  'ERR-1: returns an HTML page for an unsupported method': {
    profile: 'all',
    alsoBreaks: [...listFamilyIds('ERR', 2, 3, 4), ...listFamilyIds('RATE', 1, 2, 3)],
    middleware: (request, next) =>
      isUnknownOperation(request) && request.method === 'POST'
        ? { status: 405, headers: { 'content-type': 'text/html' }, body: '<h1>Method not allowed</h1>' }
        : next(request),
  },
  'ERR-2: returns an Error whose message is null': editNotFound({ message: null }),
  'ERR-3: returns an Error whose status differs from the HTTP status': editNotFound({ status: 400n }),
  'ERR-4: sends errors with the content type application/problem+json': editOn(
    401,
    everyRequest,
    setHeaders({ 'content-type': 'application/problem+json' }),
  ),
  'ERR-4: sends errors without a Content-Type header': editOn(
    400,
    everyRequest,
    setHeaders({ 'content-type': undefined }),
  ),
  'ERR-5: returns an Error with an empty code': editNotFound({ code: '' }),
  'ERR-5: returns an Error with an empty message': editNotFound({ message: '' }),
  'ERR-6: returns 503 for an invalid limit, as a gateway would': editOn(
    400,
    hasQuery('limit', 'abc'),
    createErrorResponse(503),
  ),
  'ERR-6: returns 500 for a petId beyond int64': {
    profile: 'read',
    ...editOn(404, isBeyondInt64Get, createErrorResponse(500)),
  },
  'ERR-6: returns 500 for a limit beyond int64': {
    profile: 'read',
    ...editOn(400, ({ query: { limit = '' } }) => limit.length > 19, createErrorResponse(500)),
  },
  'ERR-6: returns 500 for a name that contains U+0000': editOn(
    201,
    isCreateWith(({ name }) => String(name).includes('\0')),
    createErrorResponse(500),
  ),
  'ERR-7: returns an HTML page for an unknown path': editOn(
    404,
    isUnknownOperation,
    setHtml('<pre>Cannot GET</pre>'),
  ),
  'ERR-7: omits the rate-limit headers for an unknown path': editOn(
    404,
    isUnknownOperation,
    setHeaders({ 'x-ratelimit-limit': undefined }),
  ),
  'ERR-7: serves a web application under every unknown path': editOn(404, isUnknownOperation, {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: '<div id="app"></div>',
  }),
})
