import type { Handler } from './deployment.ts'
import { jsonResponse } from './exchange.ts'
import type { Json } from './json.ts'

/** What is to come of a run against a server that is no deployment at all. */
export interface Outcome {
  /** What the server does, as the rest of a sentence that begins with "a server that". */
  readonly does: string
  /** The rules that hold on it in spite of all. */
  readonly passes: readonly string[]
  /** How the run exits. */
  readonly exit: 0 | 1 | 3
}

/** One that a handler in the same process can stand for. */
export interface Degenerate extends Outcome {
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

/** An answer that is always the same well-formed Error. */
const error = (status: number, headers: Headers = {}): Handler =>
  json(status, { code: 'always', message: 'Always.', status: BigInt(status) }, headers)

const bytes = (...parts: readonly (string | readonly number[])[]): Handler => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)))
  return async () => new Response(body, { headers: { 'content-type': 'application/json' } })
}

/** The headers of a limit that nobody uses. */
const limits: Headers = {
  'x-ratelimit-limit': '60',
  'x-ratelimit-remaining': '60',
  'x-ratelimit-reset': String(Date.UTC(2026, 10, 20, 12, 1) / 1000),
}
const challenge: Headers = { 'www-authenticate': 'Bearer' }
const pet: Json = { id: 1n, name: 'Ada', categoryId: 1n }

const never5xx = ['ERR-6']
const status200 = [...never5xx, 'LIST-1']
const jsonTypes = ['LIST-2', 'GET-10', 'CREATE-25']
const found = ['VER-1', 'AUTH-9', 'AUTH-11']
const arrays = [...found, ...status200, ...jsonTypes, 'LIST-3']
const firstOnPages = ['LIST-4', 'LIST-6', 'LIST-9', 'LIST-10', 'LIST-11', 'LIST-19']
const errors = ['ERR-1', 'ERR-2', 'ERR-3', 'ERR-4', 'ERR-5']
const nobodyIn = ['AUTH-1', 'AUTH-2', 'AUTH-3', 'AUTH-4', 'AUTH-5', 'AUTH-6', 'AUTH-8', ...never5xx]
const limitsShown = ['RATE-1', 'RATE-2', 'RATE-3', 'RATE-4', 'RATE-5', 'RATE-6']

/** Servers that answer, each always in the same way. */
export const degenerate: readonly Degenerate[] = [
  { does: 'says {}', handler: json(200, {}), passes: [...status200, ...jsonTypes], exit: 1 },
  { does: 'says null', handler: json(200, null), passes: [...status200, ...jsonTypes], exit: 1 },
  { does: 'says []', handler: json(200, []), passes: arrays, exit: 1 },
  { does: 'lists the same animal', handler: json(200, [pet]), passes: [...arrays, ...firstOnPages], exit: 1 },
  { does: 'says nothing', handler: text(204, ''), passes: never5xx, exit: 1 },
  {
    does: 'has created an animal',
    handler: json(201, pet),
    passes: [...never5xx, ...jsonTypes, 'CREATE-1', 'CREATE-2', 'CREATE-4', 'CREATE-5', 'CREATE-23'],
    exit: 1,
  },
  { does: 'rejects every key', handler: error(401), passes: [...nobodyIn, ...errors], exit: 1 },
  { does: 'rejects every key without a word', handler: text(401, ''), passes: nobodyIn, exit: 1 },
  {
    does: 'rejects every key by the book',
    handler: error(401, { ...limits, ...challenge }),
    passes: [...nobodyIn, ...errors, ...limitsShown, 'AUTH-10'],
    exit: 3,
  },
  { does: 'forbids everything', handler: error(403), passes: [...never5xx, ...errors], exit: 1 },
  { does: 'finds nothing', handler: error(404), passes: [...never5xx, ...errors], exit: 1 },
  {
    does: 'finds nothing by the book',
    handler: error(404, limits),
    passes: [...never5xx, ...errors, ...limitsShown],
    exit: 1,
  },
  { does: 'refuses everyone', handler: error(429, { 'retry-after': '60' }), passes: [], exit: 3 },
  { does: 'refuses everyone without a word', handler: text(429, ''), passes: [], exit: 3 },
  { does: 'trips over everything', handler: error(500), passes: errors, exit: 1 },
  { does: 'is never up', handler: text(503, 'Service unavailable'), passes: [], exit: 3 },
  {
    does: 'shows its front page',
    handler: text(200, '<h1>Welcome</h1>', { 'content-type': 'text/html' }),
    passes: status200,
    exit: 1,
  },
  {
    does: 'sends one to itself',
    handler: text(302, '', { location: '/v1/pets' }),
    passes: never5xx,
    exit: 1,
  },
  {
    does: 'sends one elsewhere',
    handler: text(308, '', { location: 'http://b.test/' }),
    passes: never5xx,
    exit: 1,
  },
  {
    does: 'cuts its JSON off',
    handler: bytes('[{"id":1,"name":"Ad'),
    passes: [...status200, ...jsonTypes],
    exit: 1,
  },
  {
    does: 'sends bytes that are no text',
    handler: bytes([0, 255, 254]),
    passes: [...status200, ...jsonTypes],
    exit: 1,
  },
  {
    does: 'sends names that are no UTF-8',
    handler: bytes('[{"id":1,"categoryId":1,"name":"', [0xc3, 0x28], '"}]'),
    passes: [...status200, ...jsonTypes],
    exit: 1,
  },
  {
    does: 'cannot be reached',
    handler: () => Promise.reject(new TypeError('fetch failed')),
    passes: [],
    exit: 3,
  },
]
