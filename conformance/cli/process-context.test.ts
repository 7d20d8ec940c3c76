import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { usesColor } from './process-context.ts'

const cases: readonly (readonly [
  when: string,
  env: Record<string, string>,
  isTTY: boolean | undefined,
  expected: boolean,
])[] = [
  ['on a terminal', {}, true, true],
  ['to a pipe', {}, undefined, false],
  ['on a dumb terminal', { TERM: 'dumb' }, true, false],
  ['on a terminal with NO_COLOR', { NO_COLOR: '1' }, true, false],
  ['on a terminal with an empty NO_COLOR', { NO_COLOR: '' }, true, true],
  ['to a pipe with FORCE_COLOR', { FORCE_COLOR: '1' }, false, true],
  ['on a terminal with FORCE_COLOR=0', { FORCE_COLOR: '0' }, true, false],
  ['to a pipe with FORCE_COLOR and NO_COLOR', { FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
]

describe('usesColor', () => {
  for (const [when, env, isTTY, expected] of cases) {
    it(`output ${expected ? 'has' : 'has no'} colour ${when}`, () =>
      assert.equal(usesColor(env, { isTTY }), expected))
  }
})
