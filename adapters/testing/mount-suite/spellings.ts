import assert from 'node:assert/strict'
import type { Runner } from '../exchange.ts'
import { json, type Mount, type Sent } from '../exchange.ts'
import { addition, auth, open } from './open.ts'

type Case = readonly [what: string, sent: Sent, status: number, code?: string]

const rex = '{"name":"Rex","categoryId":1}'
const get = (target: string): Sent => ({ target, headers: [auth.zoo] })
const typed = (type: string, body = rex): Sent => addition(body, ['Content-Type', type])
const bytes = (...parts: readonly (string | number)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))))
const withBody = (body: Uint8Array): Sent => ({ method: 'POST', headers: [auth.zoo], body })
const authorized = (...values: readonly string[]): Sent => ({
  headers: values.map((value) => ['Authorization', value] as const),
})

const bodies: readonly Case[] = [
  ['a valid body', addition(rex), 201],
  [
    'unknown members, nested however deep',
    addition(`{"x":${'['.repeat(9_000)}${']'.repeat(9_000)},"name":"Rex","categoryId":1}`),
    201,
  ],
  ['no body', { method: 'POST', headers: [auth.zoo, ['Content-Length', '0']] }, 400, 'invalid_json'],
  [
    'no body that is declared as JSON',
    { method: 'POST', headers: [auth.zoo, ['Content-Type', 'application/json']] },
    400,
    'invalid_json',
  ],
  ['a byte order mark', withBody(bytes(0xef, 0xbb, 0xbf, rex)), 400, 'invalid_json'],
  ['invalid UTF-8', withBody(bytes('{"name":"', 0xff, '","categoryId":1}')), 400, 'invalid_json'],
  ['a null byte behind the document', addition(`${rex}\0`), 400, 'invalid_json'],
  ['JSON that is cut off', addition('{"name":"Rex"'), 400, 'invalid_json'],
  ['a body of 65,536 bytes', addition(`{"name":"Rex","categoryId":1}${' '.repeat(65_536 - 29)}`), 201],
  [
    'a body of 65,537 bytes',
    addition(`{"name":"Rex","categoryId":1}${' '.repeat(65_537 - 29)}`),
    413,
    'body_too_large',
  ],
  ['a declared type with a charset', typed('Application/JSON; Charset="UTF-8"'), 201],
  ['an empty type', typed(''), 201],
  ['text/json', typed('text/json'), 415, 'unsupported_media_type'],
  ['a content encoding', addition(rex, ['Content-Encoding', 'gzip']), 415, 'unsupported_media_type'],
  ['the identity as a content encoding', addition(rex, ['Content-Encoding', 'identity']), 201],
]

const ids: readonly Case[] = [
  ['the id 1', get('/v1/pets/1'), 200],
  ['the id 1, escaped', get('/v1/pets/%31'), 200],
  ['the path, escaped', get('/v1/%70ets/%31'), 200],
  ['the base path, escaped', get('/%76%31/pets/1'), 200],
  ['an escaped slash', get('/v1/pets%2F1'), 404, 'route_not_found'],
  ['the id 1 and a query', get('/v1/pets/1?limit=0'), 200],
  ...[
    '2',
    '-1',
    '01',
    '+1',
    '%2531',
    '%2F1',
    '%zz',
    '%',
    '%FF',
    '%D9%A1',
    '1%20',
    '1%00',
    '9'.repeat(400),
  ].map((id): Case => [`the id ${id.slice(0, 25)}`, get(`/v1/pets/${id}`), 404, 'pet_not_found']),
]

const paths: readonly Case[] = [
  ['an absolute target, whatever its authority', get('http://elsewhere.example/v1/pets/1'), 200],
  ['a trailing slash', get('/v1/pets/'), 404, 'route_not_found'],
  ['the base path alone', get('/v1'), 404, 'route_not_found'],
  ['another case', get('/v1/Pets'), 404, 'route_not_found'],
  [
    'the path of an operation that is not part of the interface',
    get('/v1/store/orders'),
    404,
    'route_not_found',
  ],
  ['outside the base path', get('/v2/pets'), 404, 'route_not_found'],
  ['dot segments', get('/v1/pets/..'), 404],
  ['escaped dot segments', get('/v1/pets/%2e%2e'), 404],
]

const queries: readonly Case[] = [
  ['the largest limit', get('/v1/pets?limit=100'), 200],
  ['unknown parameters', get('/v1/pets?page=2&Limit=x&q=%E2%82%AC'), 200],
  ['an empty query', get('/v1/pets?'), 200],
  ['escapes in names and values', get('/v1/pets?st%61tus=s%6Fld'), 200],
  ['after any int64', get('/v1/pets?after=-9223372036854775808'), 200],
  ...['limit=0', 'limit=', 'limit=5&limit=5', 'limit=%zz', 'status=sold+', 'after=x', 'x=%FF'].map(
    (query): Case => [query, get(`/v1/pets?${query}`), 400, 'invalid_parameter'],
  ),
]

const credentials: readonly Case[] = [
  ['the scheme in any case and several spaces', authorized('bEARER   zoo-key'), 200],
  ['no credential', {}, 401, 'missing_api_key'],
  ['another scheme', authorized('Basic em9vLWtleTo='), 401, 'missing_api_key'],
  ['the key alone', authorized('zoo-key'), 401, 'missing_api_key'],
  ['an empty token', authorized('Bearer'), 401, 'missing_api_key'],
  ['an unknown key', authorized('Bearer unknown-key'), 401, 'invalid_api_key'],
  ['an expired key', authorized('Bearer expired-key'), 401, 'invalid_api_key'],
  ['a repeated header', authorized('Bearer zoo-key', 'Bearer zoo-key'), 401, 'invalid_api_key'],
  [
    'a header repeated under another scheme',
    authorized('Basic eA==', 'Bearer zoo-key'),
    401,
    'invalid_api_key',
  ],
  ['a tab', authorized('Bearer\tzoo-key'), 401, 'invalid_api_key'],
  ['a key in the query', { target: '/v1/pets?access_token=zoo-key' }, 401, 'missing_api_key'],
]

const tables: Readonly<Record<string, readonly Case[]>> = { bodies, ids, paths, queries, credentials }

/** Sections 4 and 5 of the interface, and what it leaves open: the ways to write a request. */
export function spellingsSuite(mount: Mount, { describe, it }: Runner): void {
  for (const [subject, cases] of Object.entries(tables)) {
    describe(`the spelling of ${subject}`, () => {
      for (const [what, sent, status, code] of cases) {
        it(`${what}: ${status}${code ? ` ${code}` : ''}`, async (t) => {
          const send = await open(t, mount)
          await send(addition(rex))
          const response = await send(sent)
          assert.equal(response.status, status, response.text)
          if (code) assert.equal(json<{ code: string }>(response).code, code)
        })
      }
    })
  }
}
