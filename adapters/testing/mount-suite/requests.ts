import assert from 'node:assert/strict'
import { type Mount, readCode, type SentRequest, type TestRunner } from '../exchange.ts'
import { authHeaders, openMount, rex, toCreateRequest } from './open-mount.ts'

type Case = readonly [what: string, sent: SentRequest, status: number, code?: string]

const createGetRequest = (target: string): SentRequest => ({ target, headers: [authHeaders.zoo] })
const withContentType = (type: string): SentRequest => toCreateRequest(rex, ['Content-Type', type])
const withContentEncoding = (coding: string): SentRequest =>
  toCreateRequest(rex, ['Content-Encoding', coding])
const withBodyLength = (length: number) => toCreateRequest(rex.padEnd(length))
const withRawBody = (latin1: string): SentRequest => ({
  ...toCreateRequest(''),
  body: Buffer.from(latin1, 'latin1'),
})
const withAuthorization = (...values: readonly string[]): SentRequest => ({
  headers: values.map((value) => ['Authorization', value] as const),
})

const bodyCases: readonly Case[] = [
  ['no body', toCreateRequest('', ['Content-Length', '0']), 400, 'invalid_json'],
  ['a body with a byte order mark', withRawBody(`\xef\xbb\xbf${rex}`), 400, 'invalid_json'],
  ['a body that is not valid UTF-8', withRawBody(rex.replace('Rex', '\xff')), 400, 'invalid_json'],
  ['a 65,536-byte body', withBodyLength(65_536), 201],
  ['a 65,537-byte body', withBodyLength(65_537), 413, 'body_too_large'],
  ['a content type with a charset', withContentType('Application/JSON; Charset="UTF-8"'), 201],
  ['an empty content type', withContentType(''), 201],
  ['text/json', withContentType('text/json'), 415, 'unsupported_media_type'],
  ['a content encoding', withContentEncoding('gzip'), 415, 'unsupported_media_type'],
]

const unknownIds = [...'2 -1 01 +1 %2531 %2F1 %zz % %FF %D9%A1 1%20 1%00'.split(' '), '9'.repeat(400)]

const targetCases: readonly Case[] = [
  ['the id of an existing animal', createGetRequest('/v1/pets/1'), 200],
  ['a percent-encoded id', createGetRequest('/v1/pets/%31'), 200],
  ['a percent-encoded path', createGetRequest('/v1/%70ets/%31'), 200],
  ['a percent-encoded base path', createGetRequest('/%76%31/pets/1'), 200],
  ['a percent-encoded slash', createGetRequest('/v1/pets%2F1'), 404, 'route_not_found'],
  ['an id followed by a query', createGetRequest('/v1/pets/1?limit=0'), 200],
  ...unknownIds.map(
    (id): Case => [`the id ${id.slice(0, 9)}`, createGetRequest(`/v1/pets/${id}`), 404, 'pet_not_found'],
  ),
  ['an absolute URL with any host', createGetRequest('http://elsewhere.example/v1/pets/1'), 200],
  ...['/v1/pets/', '/v1', '/v1/Pets', '/v1/store/orders', '/v2/pets'].map(
    (path): Case => [path, createGetRequest(path), 404, 'route_not_found'],
  ),
  ['dot segments', createGetRequest('/v1/pets/..'), 404],
  ['percent-encoded dot segments', createGetRequest('/v1/pets/%2e%2e'), 404],
]

const queryCases: readonly Case[] = [
  ...['limit=100', 'page=2&Limit=x&q=%E2%82%AC', '', 'st%61tus=s%6Fld', 'after=-9223372036854775808'].map(
    (query): Case => [`?${query}`, createGetRequest(`/v1/pets?${query}`), 200],
  ),
  ...['limit=0', 'limit=', 'limit=5&limit=5', 'limit=%zz', 'status=sold+', 'after=x', 'x=%FF'].map(
    (query): Case => [`?${query}`, createGetRequest(`/v1/pets?${query}`), 400, 'invalid_parameter'],
  ),
]

const credentialCases: readonly Case[] = [
  [
    'an Authorization scheme in mixed case, followed by several spaces',
    withAuthorization('bEARER   zoo-key'),
    200,
  ],
  ['a request without a key', {}, 401, 'missing_api_key'],
  ['an empty bearer token', withAuthorization('Bearer'), 401, 'missing_api_key'],
  ['an unknown API key', withAuthorization('Bearer unknown-key'), 401, 'invalid_api_key'],
  ['an expired API key', withAuthorization('Bearer expired-key'), 401, 'invalid_api_key'],
  [
    'a repeated Authorization header',
    withAuthorization('Bearer zoo-key', 'Bearer zoo-key'),
    401,
    'invalid_api_key',
  ],
  [
    'two Authorization headers with different schemes',
    withAuthorization('Basic eA==', 'Bearer zoo-key'),
    401,
    'invalid_api_key',
  ],
  ['a tab before the key', withAuthorization('Bearer\tzoo-key'), 401, 'invalid_api_key'],
  ['an API key in the query', { target: '/v1/pets?access_token=zoo-key' }, 401, 'missing_api_key'],
]

/** Declares tests for unusual and invalid requests (interface, sections 4 and 5). */
export function testRequests(mount: Mount, { describe, it }: TestRunner): void {
  for (const [subject, cases] of Object.entries({
    bodies: bodyCases,
    targets: targetCases,
    queries: queryCases,
    credentials: credentialCases,
  })) {
    describe(`parsing ${subject}`, () => {
      for (const [what, sent, status, code] of cases) {
        it(`responds with ${status}${code ? ` ${code}` : ''} to ${what}`, async (t) => {
          const sendRequest = await openMount(t, mount)
          await sendRequest(toCreateRequest(rex))
          const response = await sendRequest(sent)
          assert.equal(response.status, status, response.text)
          if (code) assert.equal(readCode(response), code)
        })
      }
    })
  }
}
