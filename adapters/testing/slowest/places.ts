import type { Asked } from '../../../core/testing/service-request.ts'
import { headerValues, json, odd, query } from '../fuzz/words.ts'

/** A part of a request whose text the client chooses. */
export interface Place {
  readonly name: string
  /** The maximum size of its text, in bytes. */
  readonly maxBytes: number
  /** How long a request with the longest text may take, in milliseconds. */
  readonly maxMs: number
  /** The parts of its text. */
  readonly tokens: readonly string[]
  /** Text before and after, so that the service reads as far as possible. */
  readonly frames: readonly (readonly [before: string, after: string])[]
  request(text: string): Asked
}

const head = { maxBytes: 16 * 1024, maxMs: 3, frames: [['', '']] } as const
const key = { host: 'pets.example', authorization: 'Bearer good' }
const rex = '{"name":"Rex","categoryId":1}'

function field(name: string, tokens: readonly string[], asked: Asked = {}): Place {
  return {
    ...head,
    name,
    tokens,
    request: (text) => ({ ...asked, headers: { ...key, ...asked.headers, [name]: text } }),
  }
}

/** Every place of a request that core reads. */
export const places: readonly Place[] = [
  {
    ...head,
    name: 'query',
    tokens: [...query, ...odd],
    frames: [
      ['', ''],
      ['limit=5&', ''],
      ['status=', '&limit=100'],
      ['after=', ''],
    ],
    request: (text) => ({ target: `/v1/pets?${text}`, headers: key }),
  },
  {
    ...head,
    name: 'petId',
    tokens: odd,
    request: (text) => ({ target: `/v1/pets/${text}`, headers: key }),
  },
  {
    ...head,
    name: 'target',
    tokens: odd,
    frames: [
      ['', ''],
      ['/', ''],
      ['http://', '/v1/pets'],
    ],
    request: (text) => ({ target: text, headers: key }),
  },
  field('authorization', ['Bearer', 'bearer ', ', ', '=', ...odd]),
  field('host', ['pets.example', '[::1]', ...odd]),
  field('content-type', ['application/json', ';', 'charset=utf-8', '="', '\\"', ...odd], {
    method: 'POST',
    body: rex,
  }),
  field('content-encoding', [...headerValues, ...odd], { method: 'POST', body: rex }),
  field('transfer-encoding', [...headerValues, ...odd]),
  field('expect', [...headerValues, ...odd]),
  field('origin', [...headerValues, ...odd], {
    method: 'OPTIONS',
    headers: { 'access-control-request-method': 'POST' },
  }),
  {
    ...head,
    name: 'x-forwarded-for',
    tokens: ['10.1.1.1', '2001:db8::1', '::', ', ', ',', ...odd],
    frames: [
      ['', ''],
      ['', ',10.1.1.1'],
    ],
    request: (text) => ({ headers: { host: 'pets.example', 'x-forwarded-for': text }, client: '10.0.0.1' }),
  },
  {
    name: 'body',
    maxBytes: 64 * 1024,
    maxMs: 10,
    tokens: [...json, '\\', '\\"', '"', '"a":1,', '"\\u0061":1,', '0', '9', 'e', '-', '.', 'é', '🐈'],
    frames: [
      ['', ''],
      ['{"name":"', '","categoryId":1}'],
      ['{"name":"Rex","categoryId":', '}'],
      ['{"name":"Rex","categoryId":1', 'e1}'],
      ['{"name":"Rex","x":', ',"categoryId":1}'],
      ['{"name":"Rex","categoryId":1.0,', '"\\u0063ategoryId":2.5}'],
    ],
    request: (text) => ({ method: 'POST', headers: key, body: text }),
  },
]
