import type { Handler } from './deployment.ts'
import { jsonResponse } from './exchange.ts'
import type { Json } from './json.ts'
import { idsIn } from './variant.ts'

/** The expected result of a run against a server that is not a deployment of the interface. */
export interface Expected {
  /** What the server does, as the rest of a sentence that begins with "a server that". */
  readonly does: string
  /** The rules that pass nevertheless. */
  readonly passes: readonly string[]
  /** The exit code of the run. */
  readonly exit: 1 | 3
}

/** A server that a handler in the same process represents. */
export interface Degenerate extends Expected {
  readonly handler: Handler
}

type Headers = Readonly<Record<string, string>>

const text = (status: number, body: string, headers: Headers = {}): Handler => {
  return async () => new Response(status === 204 ? null : body, { status, headers })
}

const json = (status: number, body: Json, headers: Headers = {}): Handler => {
  const response = jsonResponse(status, body)
  return text(status, response.body, { ...response.headers, ...headers })
}

/** Returns the same well-formed Error every time. */
const error = (status: number, headers: Headers = {}): Handler =>
  json(status, { code: 'always', message: 'Always.', status: BigInt(status) }, headers)

const bytes = (...parts: readonly (string | readonly number[])[]): Handler => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)))
  return async () => new Response(body, { headers: { 'content-type': 'application/json' } })
}

/** The headers of a limit that has not been used. */
const limits: Headers = {
  'x-ratelimit-limit': '60',
  'x-ratelimit-remaining': '60',
  'x-ratelimit-reset': String(Date.UTC(2026, 10, 20, 12, 1) / 1000),
}
const pet: Json = { id: 1n, name: 'Ada', categoryId: 1n }

const no5xx = ['ERR-6']
const status200 = [...no5xx, 'LIST-1']
const jsonTypes = ['LIST-2', 'GET-10', 'CREATE-25']
const anyJson = [...status200, ...jsonTypes]
const arrays = ['VER-1', 'AUTH-9', 'AUTH-11', ...anyJson, 'LIST-3']
const firstOnPages = idsIn('LIST', 4, 6, 9, 10, 11, 19)
const errors = idsIn('ERR', 1, 2, 3, 4, 5)
const noAccess = [...idsIn('AUTH', 1, 2, 3, 4, 5, 6, 8, 13, 14), ...no5xx]
const limitsShown = idsIn('RATE', 1, 2, 3, 4, 5, 6)

/** Servers by what they do: the handler, the rules that pass, and the exit code if it is not 1. */
const table: Readonly<Record<string, readonly [handler: Handler, passes: readonly string[], exit?: 1 | 3]>> =
  {
    'returns {}': [json(200, {}), anyJson],
    'returns null': [json(200, null), anyJson],
    'returns []': [json(200, []), arrays],
    'returns the same list': [json(200, [pet]), [...arrays, ...firstOnPages]],
    'returns 204': [text(204, ''), no5xx],
    'returns 201 with an animal': [
      json(201, pet),
      [...no5xx, ...jsonTypes, ...idsIn('CREATE', 1, 2, 4, 5, 23)],
    ],
    'returns 401 with an Error': [error(401), [...noAccess, ...errors]],
    'returns 401 without a body': [text(401, ''), noAccess],
    'returns 401 with an Error and every header': [
      error(401, { ...limits, 'www-authenticate': 'Bearer' }),
      [...noAccess, ...errors, ...limitsShown, 'AUTH-10'],
      3,
    ],
    'returns 403': [error(403), [...no5xx, ...errors]],
    'returns 404': [error(404), [...no5xx, ...errors]],
    'returns 404 with the rate-limit headers': [
      error(404, limits),
      [...no5xx, ...errors, ...limitsShown, 'ERR-7'],
    ],
    'returns 429 with an Error': [error(429, { 'retry-after': '60' }), [], 3],
    'returns 429 without a body': [text(429, ''), [], 3],
    'returns 500': [error(500), errors],
    'returns 503': [text(503, 'Service unavailable'), [], 3],
    'returns an HTML page': [text(200, '<h1>Welcome</h1>', { 'content-type': 'text/html' }), status200],
    'redirects to itself': [text(302, '', { location: '/v1/pets' }), no5xx],
    'redirects to another host': [text(308, '', { location: 'http://b.test/' }), no5xx],
    'returns truncated JSON': [bytes('[{"id":1,"name":"Ad'), anyJson],
    'returns bytes that are not text': [bytes([0, 255, 254]), anyJson],
    'returns names that are not UTF-8': [
      bytes('[{"id":1,"categoryId":1,"name":"', [0xc3, 0x28], '"}]'),
      anyJson,
    ],
    'fails to connect': [() => Promise.reject(new TypeError('fetch failed')), [], 3],
  }

/** Servers that send the same response to every request. */
export const degenerate: readonly Degenerate[] = Object.entries(table).map(
  ([does, [handler, passes, exit = 1]]): Degenerate => ({ does, handler, passes, exit }),
)
