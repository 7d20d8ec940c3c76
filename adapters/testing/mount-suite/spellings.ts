import assert from 'node:assert/strict'
import { type Mount, type Runner, readCode, type Sent } from '../exchange.ts'
import { auth, creation, open, rex } from './open.ts'

type Case = readonly [what: string, sent: Sent, status: number, code?: string]

const get = (target: string): Sent => ({ target, headers: [auth.zoo] })
const typed = (type: string): Sent => creation(rex, ['Content-Type', type])
const coded = (coding: string): Sent => creation(rex, ['Content-Encoding', coding])
const padded = (length: number) => creation(rex.padEnd(length))
const bytes = (latin1: string): Sent => ({ ...creation(''), body: Buffer.from(latin1, 'latin1') })
const authorized = (...values: readonly string[]): Sent => ({
  headers: values.map((value) => ['Authorization', value] as const),
})

const bodies: readonly Case[] = [
  ['no body', creation('', ['Content-Length', '0']), 400, 'invalid_json'],
  ['a byte order mark', bytes(`\xef\xbb\xbf${rex}`), 400, 'invalid_json'],
  ['invalid UTF-8', bytes(rex.replace('Rex', '\xff')), 400, 'invalid_json'],
  ['a body of 65,536 bytes', padded(65_536), 201],
  ['a body of 65,537 bytes', padded(65_537), 413, 'body_too_large'],
  ['a declared type with a charset', typed('Application/JSON; Charset="UTF-8"'), 201],
  ['an empty type', typed(''), 201],
  ['text/json', typed('text/json'), 415, 'unsupported_media_type'],
  ['a content encoding', coded('gzip'), 415, 'unsupported_media_type'],
]

const noIds = [...'2 -1 01 +1 %2531 %2F1 %zz % %FF %D9%A1 1%20 1%00'.split(' '), '9'.repeat(400)]

const targets: readonly Case[] = [
  ['the id 1', get('/v1/pets/1'), 200],
  ['the id 1, escaped', get('/v1/pets/%31'), 200],
  ['the path, escaped', get('/v1/%70ets/%31'), 200],
  ['the base path, escaped', get('/%76%31/pets/1'), 200],
  ['an escaped slash', get('/v1/pets%2F1'), 404, 'route_not_found'],
  ['the id 1 and a query', get('/v1/pets/1?limit=0'), 200],
  ...noIds.map((id): Case => [`the id ${id.slice(0, 9)}`, get(`/v1/pets/${id}`), 404, 'pet_not_found']),
  ['an absolute target, whatever its authority', get('http://elsewhere.example/v1/pets/1'), 200],
  ...['/v1/pets/', '/v1', '/v1/Pets', '/v1/store/orders', '/v2/pets'].map(
    (path): Case => [path, get(path), 404, 'route_not_found'],
  ),
  ['dot segments', get('/v1/pets/..'), 404],
  ['escaped dot segments', get('/v1/pets/%2e%2e'), 404],
]

const queries: readonly Case[] = [
  ...['limit=100', 'page=2&Limit=x&q=%E2%82%AC', '', 'st%61tus=s%6Fld', 'after=-9223372036854775808'].map(
    (query): Case => [`?${query}`, get(`/v1/pets?${query}`), 200],
  ),
  ...['limit=0', 'limit=', 'limit=5&limit=5', 'limit=%zz', 'status=sold+', 'after=x', 'x=%FF'].map(
    (query): Case => [`?${query}`, get(`/v1/pets?${query}`), 400, 'invalid_parameter'],
  ),
]

const credentials: readonly Case[] = [
  ['the scheme in any case and several spaces', authorized('bEARER   zoo-key'), 200],
  ['no credential', {}, 401, 'missing_api_key'],
  ['an empty token', authorized('Bearer'), 401, 'missing_api_key'],
  ['an unknown key', authorized('Bearer unknown-key'), 401, 'invalid_api_key'],
  ['an expired key', authorized('Bearer expired-key'), 401, 'invalid_api_key'],
  ['a repeated header', authorized('Bearer zoo-key', 'Bearer zoo-key'), 401, 'invalid_api_key'],
  ['another scheme, then the key', authorized('Basic eA==', 'Bearer zoo-key'), 401, 'invalid_api_key'],
  ['a tab', authorized('Bearer\tzoo-key'), 401, 'invalid_api_key'],
  ['a key in the query', { target: '/v1/pets?access_token=zoo-key' }, 401, 'missing_api_key'],
]

/** Sections 4 and 5 of the interface, and what it leaves open: the ways to write a request. */
export function spellingsSuite(mount: Mount, { describe, it }: Runner): void {
  for (const [subject, cases] of Object.entries({ bodies, targets, queries, credentials })) {
    describe(`the spelling of ${subject}`, () => {
      for (const [what, sent, status, code] of cases) {
        it(`${what}: ${status}${code ? ` ${code}` : ''}`, async (t) => {
          const send = await open(t, mount)
          await send(creation(rex))
          const response = await send(sent)
          assert.equal(response.status, status, response.text)
          if (code) assert.equal(readCode(response), code)
        })
      }
    })
  }
}
