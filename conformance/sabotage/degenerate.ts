import { type Handler, jsonReply } from './deployment.ts'
import type { Json } from './json.ts'

/** A server that is no deployment at all. */
export interface Degenerate {
  /** What it does, as the rest of a sentence that begins with "a server that". */
  readonly does: string
  readonly answer: Handler
  /** The rules that hold on it in spite of all. */
  readonly passes: readonly string[]
  /** How a run against it exits. */
  readonly exit: 0 | 1 | 3
}

const text = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Handler => {
  return async () => new Response(status === 204 ? null : body, { status, headers })
}

const json = (status: number, body: Json, headers: Readonly<Record<string, string>> = {}): Handler => {
  const reply = jsonReply(status, body)
  return text(status, String(reply.body), { ...reply.headers, ...headers })
}

/** An answer that is always the same well-formed Error. */
const error = (status: number, headers: Readonly<Record<string, string>> = {}): Handler =>
  json(status, { code: 'always', message: 'Always.', status: BigInt(status) }, headers)

const bytes = (body: readonly number[]): Handler => {
  return async () => new Response(Uint8Array.from(body), { headers: { 'content-type': 'application/json' } })
}

const invalidUtf8 = [...Buffer.from('[{"id":1,"categoryId":1,"name":"'), 0xc3, 0x28, ...Buffer.from('"}]')]

/** Servers that answer, each always in the same way. */
export const degenerate: readonly Degenerate[] = [
  { does: 'always says {}', answer: json(200, {}), passes: [], exit: 1 },
  { does: 'always says []', answer: json(200, []), passes: [], exit: 1 },
  { does: 'always says nothing', answer: text(204, ''), passes: [], exit: 1 },
  { does: 'always says null', answer: json(200, null), passes: [], exit: 1 },
  {
    does: 'always created something',
    answer: json(201, { id: 1n, name: 'Ada', categoryId: 1n }),
    passes: [],
    exit: 1,
  },
  {
    does: 'always lists the same',
    answer: json(200, [{ id: 1n, name: 'Ada', categoryId: 1n }]),
    passes: [],
    exit: 1,
  },
  { does: 'rejects every key', answer: error(401), passes: [], exit: 3 },
  { does: 'rejects every key without a word', answer: text(401, ''), passes: [], exit: 3 },
  { does: 'forbids everything', answer: error(403), passes: [], exit: 3 },
  { does: 'finds nothing', answer: error(404), passes: [], exit: 1 },
  { does: 'refuses everyone at once', answer: error(429, { 'retry-after': '60' }), passes: [], exit: 3 },
  { does: 'refuses everyone without a word', answer: text(429, ''), passes: [], exit: 3 },
  { does: 'trips over everything', answer: error(500), passes: [], exit: 1 },
  { does: 'is never up', answer: text(503, 'Service unavailable'), passes: [], exit: 3 },
  {
    does: 'always shows its front page',
    answer: text(200, '<h1>Welcome</h1>', { 'content-type': 'text/html' }),
    passes: [],
    exit: 1,
  },
  {
    does: 'always sends one to itself',
    answer: text(302, '', { location: '/v1/pets' }),
    passes: [],
    exit: 1,
  },
  {
    does: 'always sends one elsewhere',
    answer: text(308, '', { location: 'http://elsewhere.test/v1/pets' }),
    passes: [],
    exit: 1,
  },
  {
    does: 'cuts its JSON off',
    answer: text(200, '[{"id":1,"name":"Ad', { 'content-type': 'application/json' }),
    passes: [],
    exit: 1,
  },
  { does: 'sends bytes that are no text', answer: bytes([0, 255, 254, 128, 7]), passes: [], exit: 1 },
  { does: 'sends names that are no UTF-8', answer: bytes(invalidUtf8), passes: [], exit: 1 },
  {
    does: 'cannot be reached',
    answer: () => Promise.reject(new TypeError('fetch failed')),
    passes: [],
    exit: 3,
  },
]
