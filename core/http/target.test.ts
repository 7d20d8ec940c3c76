import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseTarget } from './target.ts'

const targets: readonly (readonly [target: string, path?: string, query?: string])[] = [
  ['/v1/pets?', '/v1/pets', ''],
  ['/v1/pets?a=?b', '/v1/pets', 'a=?b'],
  ['//v1/pets', '//v1/pets'],
  ['/v1/%70ets/%31?a=%70', '/v1/pets/1', 'a=%70'],
  ['/v1/pets/%2e%2e', '/v1/pets/..'],
  ['/v1/pets%2f1', '/v1/pets%2F1'],
  ['/v1/pets/%2531', '/v1/pets/%31'],
  ['/v1/%70ets/%ff', '/v1/%70ets/%ff'],
  ['/v1/../pets', '/v1/../pets'],
  ['/http://elsewhere/v1', '/http://elsewhere/v1'],
  ['HTTPS://example.org:8443/v1/pets?limit=5', '/v1/pets', 'limit=5'],
  ['http://user@example.org/v1', '/v1'],
  ['http:///v1', '/v1'],
  ['http://example.org', '/'],
  ['http://example.org?limit=5', '/', 'limit=5'],
  ...['ftp://example.org/v1', 'example.org:443', 'v1/pets', '*', '', '?limit=5'].map(
    (other) => [other] as const,
  ),
]
describe('parseTarget', () => {
  for (const [target, path, query] of targets)
    it(`finds the path ${path} and query ${query} in ${target}`, () => {
      assert.deepEqual(parseTarget(target), path === undefined ? undefined : { path, query })
    })
})
