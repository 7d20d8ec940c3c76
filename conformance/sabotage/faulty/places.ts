import { always, editResponse, isGet, isList } from '../change.ts'
import type { Handler } from '../deployment.ts'
import { replaced } from '../edit.ts'
import { type ApiResponse, errorResponse, jsonResponse } from '../exchange.ts'
import { errors, type Faulty, lacksKey, not, respond } from './faulty.ts'

const text = (status: number, body: string, type: string): ApiResponse => ({
  status,
  headers: { 'content-type': type },
  body,
})

const page = (status: number, title: string): ApiResponse =>
  text(status, `<!doctype html><title>${title}</title>`, 'text/html')

/** Redirects each request to the address that the function returns. */
const redirects =
  (to: (url: URL) => string): Handler =>
  async (request) =>
    new Response(null, { status: 308, headers: { location: to(new URL(request.url)) } })

/** Deployments at which something else than the interface answers, or that cannot be used. */
export const faultyPlaces: readonly Faulty[] = [
  {
    cause: 'redirect',
    does: 'redirects every request to another host',
    server: redirects(({ pathname, search }) => `https://www.pets.test${pathname}${search}`),
    nearly: 'redirects every request without a Location',
    near: async () => new Response(null, { status: 308 }),
  },
  {
    cause: 'redirect',
    does: 'redirects every request to a page for logins',
    server: redirects(({ pathname }) => `https://login.pets.test/?next=${encodeURIComponent(pathname)}`),
    nearly: 'redirects only getPet',
    near: respond(isGet, { status: 302, headers: { location: 'https://login.pets.test/' }, body: '' }),
  },
  {
    cause: 'redirect',
    does: 'redirects every path to itself',
    server: redirects(({ pathname }) => pathname),
    nearly: 'redirects listPets to itself',
    near: respond(isList, { status: 302, headers: { location: '/v1/pets' }, body: '' }),
  },
  {
    cause: 'redirect',
    does: 'redirects every path to itself with a slash',
    server: redirects(({ pathname }) => `${pathname}/`),
    nearly: 'redirects only requests without a key',
    near: respond(lacksKey, { status: 302, headers: { location: '/v1/pets/' }, body: '' }),
  },
  {
    cause: 'client-certificate-missing',
    does: 'requires a client certificate, behind a proxy that terminates TLS',
    server: respond(
      always,
      text(
        400,
        '<html><title>400 No required SSL certificate was sent</title>No required SSL certificate was sent</html>',
        'text/html',
      ),
    ),
    nearly: 'returns 400 for another reason',
    near: respond(always, text(400, 'No required header was sent', 'text/plain')),
  },
  {
    cause: 'tls-expected',
    does: 'expects TLS',
    server: respond(always, text(400, 'The plain HTTP request was sent to HTTPS port', 'text/plain')),
    nearly: 'returns 400 for another reason',
    near: respond(always, text(400, 'The request was bad', 'text/plain')),
  },
  {
    cause: 'proxy-authentication',
    does: 'is behind a proxy that requires a password',
    server: respond(always, text(407, '', 'text/plain')),
    nearly: 'returns 407 to one operation only',
    near: respond(isGet, errorResponse(407)),
  },
  {
    cause: 'gateway',
    does: 'is away from its gateway',
    server: respond(always, page(502, 'Bad Gateway')),
    nearly: 'is away for one operation only',
    near: respond(isGet, page(502, 'Bad Gateway')),
  },
  {
    cause: 'gateway-errors',
    does: 'is away from its gateway now and then',
    server: editResponse(always, (response, _, { requests }) =>
      requests % 5 === 0 ? replaced(response, page(504, 'Gateway Timeout')) : response,
    ),
    nearly: 'fails by itself now and then',
    near: editResponse(always, (response, _, { requests }) =>
      requests % 5 === 0 ? replaced(response, errorResponse(500)) : response,
    ),
  },
  {
    cause: 'lost-responses',
    does: 'loses requests now and then',
    server: {
      middleware(request, next, { requests }) {
        if (requests % 5 === 0) throw new TypeError('terminated')
        return next(request)
      },
    },
    nearly: 'loses none',
    near: {},
  },
  {
    cause: 'html',
    does: 'is the front end',
    server: respond(always, page(200, 'Adopt a pet')),
    nearly: 'has only HTML errors',
    near: errors((response) => replaced(response, page(response.status, 'Sorry'))),
  },
  {
    cause: 'html',
    does: 'is behind Basic authentication',
    server: respond(always, {
      ...page(401, 'Authorization required'),
      headers: { 'content-type': 'text/html', 'www-authenticate': 'Basic realm="staging"' },
    }),
    nearly: 'returns its JSON as it should',
    near: {},
  },
  {
    cause: 'nothing-there',
    does: 'is under another path',
    server: respond(always, text(404, '404 page not found', 'text/plain')),
    nearly: 'lacks getPet',
    near: respond(isGet, errorResponse(404)),
  },
  {
    cause: 'key-rejected',
    does: 'does not know the key',
    server: respond(always, errorResponse(401, 'invalid_api_key', 'This key was never issued.')),
    nearly: 'rejects the key of one request only',
    near: respond((request) => request.query.limit === '2', errorResponse(401)),
  },
  {
    cause: 'limit-reached',
    does: 'is at its limit from the start',
    server: respond(always, errorResponse(429, 'slow', 'Slow down.', { 'retry-after': '600' })),
    nearly: 'has requests left',
    near: {},
  },
  {
    cause: 'same-response',
    does: 'is a stub',
    server: respond(always, jsonResponse(200, { ok: true })),
    nearly: 'is a stub apart from listPets',
    near: respond(not(isList), jsonResponse(200, { ok: true })),
  },
  {
    cause: 'same-response',
    does: 'fails at everything',
    server: respond(always, errorResponse(500)),
    nearly: 'fails at one operation',
    near: respond(isGet, errorResponse(500)),
  },
]
