import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { usesColor } from './color.ts'

const cases: readonly (readonly [
  when: string,
  env: Record<string, string>,
  isTTY: boolean | undefined,
  expected: boolean,
])[] = [
  ['a terminal has it', {}, true, true],
  ['a pipe has none', {}, undefined, false],
  ['a dumb terminal has none', { TERM: 'dumb' }, true, false],
  ['NO_COLOR turns it off on a terminal', { NO_COLOR: '1' }, true, false],
  ['an empty NO_COLOR has no effect', { NO_COLOR: '' }, true, true],
  ['FORCE_COLOR gives it to a pipe', { FORCE_COLOR: '1' }, false, true],
  ['FORCE_COLOR=0 turns it off on a terminal', { FORCE_COLOR: '0' }, true, false],
  ['FORCE_COLOR wins over NO_COLOR', { FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
]

describe('colour', () => {
  for (const [when, env, isTTY, expected] of cases) {
    it(when, () => assert.equal(usesColor(env, { isTTY }), expected))
  }
})
