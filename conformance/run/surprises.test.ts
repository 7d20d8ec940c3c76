import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Credential } from '../steps/step.ts'
import { isSurprise } from './surprises.ts'

const returned = (status: number) =>
  ({
    kind: 'response',
    response: { status, headers: [], body: '', utf8: true, truncated: false, ms: 1 },
  }) as const

const cases: readonly (readonly [
  what: string,
  target: string,
  credential: Credential,
  surprising: readonly number[],
  expected: readonly number[],
])[] = [
  ['a plain list', '/pets', 'key', [400, 404, 405, 500, 501, 503, 520], [200, 204, 302, 401, 403, 429]],
  ['a valid limit and status', '/pets?status=sold&limit=100', 'key', [400, 500], [200]],
  ['a limit beyond the bounds', '/pets?limit=101', 'key', [500], [200, 400, 422]],
  ['an undeclared status', '/pets?status=lost', 'key', [500], [200, 400]],
  ['an id', '/pets/7', 'key', [400, 500], [200, 404, 405, 410]],
  ['no id', '/pets/7abc', 'key', [500], [200, 400, 404]],
  ['a path that leads nowhere', '/nowhere', 'key', [500], [404, 400]],
  ['no key', '/pets', 'none', [200, 400, 403, 404, 500], [401, 429]],
  ['an unknown key', '/pets/7', 'unknown-key', [200, 400], [401]],
]

for (const [what, target, credential, surprising, expected] of cases) {
  test(`after a request with ${what}, ${surprising} are surprises, ${expected} are not`, () => {
    const isOne = (status: number): boolean => isSurprise({ target }, credential, returned(status))
    assert.deepEqual([...surprising, ...expected].filter(isOne), surprising)
  })
}

test('an error is no surprise of a step', () => {
  assert.equal(isSurprise({ target: '/pets' }, 'key', { kind: 'error', error: 'x' }), false)
})
