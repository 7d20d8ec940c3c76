import { always, editResponse, isAnonymous, isGet, isList, not, queryIs, replaced } from '../change.ts'
import type { Change, Handler } from '../deployment.ts'
import { type ApiResponse, errorResponse, jsonResponse } from '../exchange.ts'
import { type Faulty, faultyBy } from '../variant.ts'

const text = (status: number, body: string, type = 'text/plain'): ApiResponse => ({
  status,
  headers: { 'content-type': type },
  body,
})
const page = (status: number, title: string): ApiResponse =>
  text(status, `<!doctype html><title>${title}</title>`, 'text/html')
const found = (location: string): ApiResponse => ({ status: 302, headers: { location }, body: '' })

/** Sends the same response to every request. */
const all = (response: ApiResponse): Change => editResponse(always, response)
const nowAndThen = (other: ApiResponse): Change =>
  editResponse(always, (response, _, { requests }) =>
    requests % 5 === 0 ? replaced(response, other) : response,
  )

/** Redirects each request to the address that the function returns. */
const redirects =
  (to: (url: URL) => string): Handler =>
  async (request) =>
    new Response(null, { status: 308, headers: { location: to(new URL(request.url)) } })

/** Deployments at which something else than the interface answers, or that cannot be used. */
export const faultyPlaces: readonly Faulty[] = faultyBy({
  redirect: {
    shows: {
      'redirects every request to another host': redirects(
        ({ pathname, search }) => `https://www.pets.test${pathname}${search}`,
      ),
      'redirects every request to a page for logins': redirects(
        ({ pathname }) => `https://login.pets.test/?next=${encodeURIComponent(pathname)}`,
      ),
      'redirects every path to itself': redirects(({ pathname }) => pathname),
      'redirects every path to itself with a slash': redirects(({ pathname }) => `${pathname}/`),
    },
    nearly: {
      'redirects every request without a Location': async () => new Response(null, { status: 308 }),
      'redirects only getPet': editResponse(isGet, found('https://login.pets.test/')),
      'redirects listPets to itself': editResponse(isList, found('/v1/pets')),
      'redirects only requests without a key': editResponse(isAnonymous, found('/v1/pets/')),
    },
  },
  'client-certificate-missing': {
    shows: {
      'requires a client certificate, behind a proxy that terminates TLS': all(
        text(
          400,
          '<html><title>400 No required SSL certificate was sent</title>No required SSL certificate was sent</html>',
          'text/html',
        ),
      ),
    },
    nearly: { 'returns 400 for want of a header': all(text(400, 'No required header was sent')) },
  },
  'tls-expected': {
    shows: { 'expects TLS': all(text(400, 'The plain HTTP request was sent to HTTPS port')) },
    nearly: { 'returns 400 for another reason': all(text(400, 'The request was bad')) },
  },
  'proxy-authentication': {
    shows: { 'is behind a proxy that requires a password': all(text(407, '')) },
    nearly: { 'returns 407 to one operation only': editResponse(isGet, errorResponse(407)) },
  },
  gateway: {
    shows: { 'is away from its gateway': all(page(502, 'Bad Gateway')) },
    nearly: { 'is away for one operation only': editResponse(isGet, page(502, 'Bad Gateway')) },
  },
  'gateway-errors': {
    shows: { 'is away from its gateway now and then': nowAndThen(page(504, 'Gateway Timeout')) },
    nearly: { 'fails by itself now and then': nowAndThen(errorResponse(500)) },
  },
  'lost-responses': {
    shows: {
      'loses requests now and then': {
        middleware(request, next, { requests }) {
          if (requests % 5 === 0) throw new TypeError('terminated')
          return next(request)
        },
      },
    },
  },
  html: {
    shows: {
      'is the front end': all(page(200, 'Adopt a pet')),
      'is behind Basic authentication': all({
        ...page(401, 'Authorization required'),
        headers: { 'content-type': 'text/html', 'www-authenticate': 'Basic realm="staging"' },
      }),
    },
    nearly: {
      'has only HTML errors': editResponse(always, (response) =>
        response.status < 400 ? response : replaced(response, page(response.status, 'Sorry')),
      ),
    },
  },
  'nothing-there': {
    shows: { 'is under another path': all(text(404, '404 page not found')) },
    nearly: { 'has no animal for getPet': editResponse(isGet, errorResponse(404)) },
  },
  'key-rejected': {
    shows: {
      'does not know the key': all(errorResponse(401, 'invalid_api_key', 'This key was never issued.')),
    },
    nearly: {
      'rejects the key of one request only': editResponse(queryIs('limit', '2'), errorResponse(401)),
    },
  },
  'limit-reached': {
    shows: {
      'is at its limit from the start': all(
        errorResponse(429, 'slow', 'Slow down.', { 'retry-after': '600' }),
      ),
    },
  },
  'same-response': {
    shows: {
      'is a stub': all(jsonResponse(200, { ok: true })),
      'fails at everything': all(errorResponse(500)),
    },
    nearly: {
      'is a stub apart from listPets': editResponse(not(isList), jsonResponse(200, { ok: true })),
      'fails at one operation': editResponse(isGet, errorResponse(500)),
    },
  },
})

/** Errors of a connection in place of every response, with the causes that they show. */
export const unreachable: readonly (readonly [cause: string, error: string, code?: string])[] = [
  ['proxy', 'Proxy response (407) !== 200 when HTTP Tunneling', 'UND_ERR_ABORTED'],
  ['unknown-host', 'getaddrinfo ENOTFOUND pets.test', 'ENOTFOUND'],
  ['connection-refused', 'connect ECONNREFUSED 127.0.0.1:9', 'ECONNREFUSED'],
  ['unreachable-host', 'connect EHOSTUNREACH 10.0.0.1:443', 'EHOSTUNREACH'],
  ['plain-http', 'error:0A00010B:SSL routines::wrong version number', 'ERR_SSL_WRONG_VERSION_NUMBER'],
  ['client-certificate', 'tlsv13 alert certificate required', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'],
  ['client-certificate', 'sslv3 alert handshake failure', 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE'],
  ['untrusted-certificate', 'self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['untrusted-certificate', 'certificate has expired', 'CERT_HAS_EXPIRED'],
  [
    'untrusted-certificate',
    "Hostname/IP does not match certificate's altnames",
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ],
  ['not-http', 'Parse Error: Expected HTTP/', 'HPE_INVALID_CONSTANT'],
  ['no-response-in-time', 'no complete response within 10000 ms'],
  ['connection-closed', 'other side closed', 'UND_ERR_SOCKET'],
  ['no-response', 'something else'],
]

/** A server to which no connection succeeds, with the error of Node's `fetch`. */
export const failing =
  (message: string, code?: string): Handler =>
  () =>
    Promise.reject(
      new TypeError('fetch failed', { cause: Object.assign(new Error(message), code && { code }) }),
    )
