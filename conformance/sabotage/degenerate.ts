import type { Handler } from './deployment.ts'
import { jsonResponse } from './exchange.ts'
import type { Json } from './json.ts'

/** The expected result of a run against a server that is not a deployment of the interface. */
export interface Expected {
  /** What the server does, as the rest of a sentence that begins with "a server that". */
  readonly does: string
  /** The rules that pass nevertheless. */
  readonly passes: readonly string[]
  /** The exit code of the run. */
  readonly exit: 0 | 1 | 3
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
const challenge: Headers = { 'www-authenticate': 'Bearer' }
const pet: Json = { id: 1n, name: 'Ada', categoryId: 1n }

const no5xx = ['ERR-6']
const status200 = [...no5xx, 'LIST-1']
const jsonTypes = ['LIST-2', 'GET-10', 'CREATE-25']
const found = ['VER-1', 'AUTH-9', 'AUTH-11']
const arrays = [...found, ...status200, ...jsonTypes, 'LIST-3']
const firstOnPages = ['LIST-4', 'LIST-6', 'LIST-9', 'LIST-10', 'LIST-11', 'LIST-19']
const errors = ['ERR-1', 'ERR-2', 'ERR-3', 'ERR-4', 'ERR-5']
const noAccess = [
  'AUTH-1',
  'AUTH-2',
  'AUTH-3',
  'AUTH-4',
  'AUTH-5',
  'AUTH-6',
  'AUTH-8',
  'AUTH-13',
  'AUTH-14',
  ...no5xx,
]
const limitsShown = ['RATE-1', 'RATE-2', 'RATE-3', 'RATE-4', 'RATE-5', 'RATE-6']

/** Servers that send the same response to every request. */
export const degenerate: readonly Degenerate[] = [
  { does: 'returns {}', handler: json(200, {}), passes: [...status200, ...jsonTypes], exit: 1 },
  { does: 'returns null', handler: json(200, null), passes: [...status200, ...jsonTypes], exit: 1 },
  { does: 'returns []', handler: json(200, []), passes: arrays, exit: 1 },
  { does: 'returns the same list', handler: json(200, [pet]), passes: [...arrays, ...firstOnPages], exit: 1 },
  { does: 'returns 204', handler: text(204, ''), passes: no5xx, exit: 1 },
  {
    does: 'returns 201 with an animal',
    handler: json(201, pet),
    passes: [...no5xx, ...jsonTypes, 'CREATE-1', 'CREATE-2', 'CREATE-4', 'CREATE-5', 'CREATE-23'],
    exit: 1,
  },
  { does: 'returns 401 with an Error', handler: error(401), passes: [...noAccess, ...errors], exit: 1 },
  { does: 'returns 401 without a body', handler: text(401, ''), passes: noAccess, exit: 1 },
  {
    does: 'returns 401 with an Error and every header',
    handler: error(401, { ...limits, ...challenge }),
    passes: [...noAccess, ...errors, ...limitsShown, 'AUTH-10'],
    exit: 3,
  },
  { does: 'returns 403', handler: error(403), passes: [...no5xx, ...errors], exit: 1 },
  { does: 'returns 404', handler: error(404), passes: [...no5xx, ...errors], exit: 1 },
  {
    does: 'returns 404 with the rate-limit headers',
    handler: error(404, limits),
    passes: [...no5xx, ...errors, ...limitsShown, 'ERR-7'],
    exit: 1,
  },
  { does: 'returns 429 with an Error', handler: error(429, { 'retry-after': '60' }), passes: [], exit: 3 },
  { does: 'returns 429 without a body', handler: text(429, ''), passes: [], exit: 3 },
  { does: 'returns 500', handler: error(500), passes: errors, exit: 1 },
  { does: 'returns 503', handler: text(503, 'Service unavailable'), passes: [], exit: 3 },
  {
    does: 'returns an HTML page',
    handler: text(200, '<h1>Welcome</h1>', { 'content-type': 'text/html' }),
    passes: status200,
    exit: 1,
  },
  {
    does: 'redirects to itself',
    handler: text(302, '', { location: '/v1/pets' }),
    passes: no5xx,
    exit: 1,
  },
  {
    does: 'redirects to another host',
    handler: text(308, '', { location: 'http://b.test/' }),
    passes: no5xx,
    exit: 1,
  },
  {
    does: 'returns truncated JSON',
    handler: bytes('[{"id":1,"name":"Ad'),
    passes: [...status200, ...jsonTypes],
    exit: 1,
  },
  {
    does: 'returns bytes that are not text',
    handler: bytes([0, 255, 254]),
    passes: [...status200, ...jsonTypes],
    exit: 1,
  },
  {
    does: 'returns names that are not UTF-8',
    handler: bytes('[{"id":1,"categoryId":1,"name":"', [0xc3, 0x28], '"}]'),
    passes: [...status200, ...jsonTypes],
    exit: 1,
  },
  {
    does: 'fails to connect',
    handler: () => Promise.reject(new TypeError('fetch failed')),
    passes: [],
    exit: 3,
  },
]
