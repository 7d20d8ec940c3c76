import assert from 'node:assert/strict'
import { json, type Mount, type Sent } from '../exchange.ts'
import { addition, auth, open } from './open.ts'
import type { Runner } from './runner.ts'

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
  ['white space around it', addition(` \r\n\t${rex} \n`), 201],
  [
    'unknown members, nested however deep',
    addition(`{"x":${'['.repeat(9_000)}${']'.repeat(9_000)},"name":"Rex","categoryId":1}`),
    201,
  ],
  ['a category of 1.0', addition('{"name":"Rex","categoryId":1.0}'), 201],
  ['a category of 1e3', addition('{"name":"Rex","categoryId":1e3}'), 201],
  [
    'a member repeated, the last one valid',
    addition('{"name":1,"categoryId":"x","name":"Rex","categoryId":1}'),
    201,
  ],
  [
    'a member repeated, the last one invalid',
    addition('{"name":"Rex","categoryId":1,"categoryId":"1"}'),
    400,
    'invalid_pet',
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
  ['text behind the document', addition(`${rex}{}`), 400, 'invalid_json'],
  ['a null byte behind the document', addition(`${rex}\0`), 400, 'invalid_json'],
  ['JSON that is cut off', addition('{"name":"Rex"'), 400, 'invalid_json'],
  ['brackets without end', addition('['.repeat(60_000)), 400, 'invalid_json'],
  ['a trailing comma', addition('{"name":"Rex","categoryId":1,}'), 400, 'invalid_json'],
  ['NaN', addition('{"name":"Rex","categoryId":NaN}'), 400, 'invalid_json'],
  ['a list', addition(`[${rex}]`), 400, 'invalid_pet'],
  ['null', addition('null'), 400, 'invalid_pet'],
  ['an empty object', addition('{}'), 400, 'invalid_pet'],
  [
    'a fraction, by however many digits',
    addition('{"name":"Rex","categoryId":1.00000000000000000001}'),
    400,
    'invalid_pet',
  ],
  [
    'a category one beyond int64',
    addition('{"name":"Rex","categoryId":9223372036854775808}'),
    400,
    'invalid_pet',
  ],
  [
    'a category one below int64',
    addition('{"name":"Rex","categoryId":-9223372036854775809}'),
    400,
    'invalid_pet',
  ],
  ['a lone surrogate in the name', addition('{"name":"\\ud800","categoryId":1}'), 400, 'invalid_pet'],
  ['U+0000 in the name', addition('{"name":"a\\u0000","categoryId":1}'), 400, 'invalid_pet'],
  ['a status of null', addition('{"name":"Rex","categoryId":1,"status":null}'), 400, 'invalid_pet'],
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
  ['a +json type', typed('application/vnd.api+json'), 415, 'unsupported_media_type'],
  ['another charset', typed('application/json; charset=latin1'), 415, 'unsupported_media_type'],
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
    '0',
    '-1',
    '01',
    '+1',
    '1.0',
    '1e0',
    '1n',
    '%2531',
    '%2F1',
    '%zz',
    '%',
    '%FF',
    '%D9%A1',
    '1%20',
    '1%00',
    'x',
  ].map((id): Case => [`the id ${id}`, get(`/v1/pets/${id}`), 404, 'pet_not_found']),
  ...[
    '9223372036854775807',
    '-9223372036854775808',
    '9223372036854775808',
    '18446744073709551617',
    '9'.repeat(400),
  ].map((id): Case => [`the id ${id.slice(0, 25)}`, get(`/v1/pets/${id}`), 404, 'pet_not_found']),
]

const paths: readonly Case[] = [
  ['an absolute target, whatever its authority', get('http://elsewhere.example/v1/pets/1'), 200],
  ['a trailing slash', get('/v1/pets/'), 404, 'route_not_found'],
  ['a slash behind the id', get('/v1/pets/1/'), 404, 'route_not_found'],
  ['the base path alone', get('/v1'), 404, 'route_not_found'],
  ['the base path with a slash', get('/v1/'), 404, 'route_not_found'],
  ['two slashes', get('/v1//pets'), 404, 'route_not_found'],
  ['another case', get('/v1/Pets'), 404, 'route_not_found'],
  [
    'the path of an operation that is not part of the interface',
    get('/v1/store/orders'),
    404,
    'route_not_found',
  ],
  ['outside the base path', get('/v2/pets'), 404, 'route_not_found'],
  ['the root', get('/'), 404, 'route_not_found'],
  ['dot segments', get('/v1/pets/..'), 404],
  ['escaped dot segments', get('/v1/pets/%2e%2e'), 404],
]

const queries: readonly Case[] = [
  ['the largest limit', get('/v1/pets?limit=100'), 200],
  ['unknown parameters', get('/v1/pets?page=2&Limit=x&q=%E2%82%AC'), 200],
  ['an empty query', get('/v1/pets?'), 200],
  ['escapes in names and values', get('/v1/pets?st%61tus=s%6Fld'), 200],
  ['after any int64', get('/v1/pets?after=-9223372036854775808'), 200],
  ...[
    'limit=0',
    'limit=101',
    'limit=05',
    'limit=1.0',
    'limit=+5',
    'limit=abc',
    'limit=',
    'limit=5&limit=5',
    'limit=%zz',
  ].map((query): Case => [query, get(`/v1/pets?${query}`), 400, 'invalid_parameter']),
  ...[
    'status=lost',
    'status=Sold',
    'status=',
    'status=sold+',
    'status=sold&status=sold',
    'after=x',
    'after=01',
    'x=%FF',
  ].map((query): Case => [query, get(`/v1/pets?${query}`), 400, 'invalid_parameter']),
]

const credentials: readonly Case[] = [
  ['the scheme in any case and several spaces', authorized('bEARER   zoo-key'), 200],
  ['no credential', {}, 401, 'missing_api_key'],
  ['another scheme', authorized('Basic em9vLWtleTo='), 401, 'missing_api_key'],
  ['the key alone', authorized('zoo-key'), 401, 'missing_api_key'],
  ['an empty token', authorized('Bearer'), 401, 'missing_api_key'],
  ['an unknown key', authorized('Bearer unknown-key'), 401, 'invalid_api_key'],
  ['a key in another case', authorized('Bearer Zoo-Key'), 401, 'invalid_api_key'],
  ['an expired key', authorized('Bearer expired-key'), 401, 'invalid_api_key'],
  ['a repeated header', authorized('Bearer zoo-key', 'Bearer zoo-key'), 401, 'invalid_api_key'],
  [
    'a header repeated under another scheme',
    authorized('Basic eA==', 'Bearer zoo-key'),
    401,
    'invalid_api_key',
  ],
  ['a tab', authorized('Bearer\tzoo-key'), 401, 'invalid_api_key'],
  ['two tokens', authorized('Bearer zoo-key zoo-key'), 401, 'invalid_api_key'],
  ['a token in quotes', authorized('Bearer "zoo-key"'), 401, 'invalid_api_key'],
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
