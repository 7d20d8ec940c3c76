import type { Asked } from '../../../core/testing/service-request.ts'
import { headerValues, json, odd, query } from '../fuzz/words.ts'

type Frame = readonly [before: string, after: string]

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
  readonly frames: readonly Frame[]
  request(text: string): Asked
}

const key = { host: 'pets.example', authorization: 'Bearer good' }
const anywhere: readonly Frame[] = [['', '']]
const creation = { method: 'POST', body: '{"name":"Rex","categoryId":1}' }

/** A place in the head of a request. */
function inHead(
  name: string,
  tokens: readonly string[],
  request: Place['request'],
  frames: readonly Frame[] = [],
): Place {
  return { name, maxBytes: 16 * 1024, maxMs: 3, tokens, frames: [...anywhere, ...frames], request }
}

const field = (name: string, tokens: readonly string[], { headers, ...asked }: Asked = {}): Place =>
  inHead(name, [...tokens, ...odd], (text) => ({ ...asked, headers: { ...key, ...headers, [name]: text } }))

/** Every place of a request that core reads. */
export const places: readonly Place[] = [
  inHead('query', [...query, ...odd], (text) => ({ target: `/v1/pets?${text}`, headers: key }), [
    ['limit=5&', ''],
    ['status=', '&limit=100'],
    ['after=', ''],
  ]),
  inHead('petId', odd, (text) => ({ target: `/v1/pets/${text}`, headers: key })),
  inHead('target', odd, (target) => ({ target, headers: key }), [
    ['/', ''],
    ['http://', '/v1/pets'],
  ]),
  field('authorization', ['Bearer', 'bearer ', ', ', '=']),
  field('host', ['pets.example', '[::1]']),
  field('content-type', ['application/json', ';', 'charset=utf-8', '="', '\\"'], creation),
  field('content-encoding', headerValues, creation),
  field('transfer-encoding', headerValues),
  field('expect', headerValues),
  field('origin', headerValues, { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } }),
  inHead(
    'x-forwarded-for',
    ['10.1.1.1', '2001:db8::1', '::', ', ', ',', ...odd],
    (text) => ({ headers: { host: 'pets.example', 'x-forwarded-for': text }, client: '10.0.0.1' }),
    [['', ',10.1.1.1']],
  ),
  {
    name: 'body',
    maxBytes: 64 * 1024,
    maxMs: 10,
    tokens: [...json, '\\', '\\"', '"', '"a":1,', '"\\u0061":1,', '0', '9', 'e', '-', '.', 'é', '🐈'],
    frames: [
      ...anywhere,
      ['{"name":"', '","categoryId":1}'],
      ['{"name":"Rex","categoryId":', '}'],
      ['{"name":"Rex","categoryId":1', 'e1}'],
      ['{"name":"Rex","x":', ',"categoryId":1}'],
      ['{"name":"Rex","categoryId":1.0,', '"\\u0063ategoryId":2.5}'],
    ],
    request: (text) => ({ method: 'POST', headers: key, body: text }),
  },
]
