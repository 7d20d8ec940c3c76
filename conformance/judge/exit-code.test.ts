import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Report, RuleResult } from '../report/report.ts'
import { recorded } from '../testing/recorded.ts'
import { exitCode } from './exit-code.ts'
import { judge } from './judge.ts'

const report = judge(recorded('read'))
const [rule] = report.rules
const withRule = (change: Partial<RuleResult>, more: Partial<Report> = {}): Report => {
  assert.ok(rule !== undefined)
  return { ...report, ...more, rules: [{ ...rule, ...change }] }
}
const ended = { endedEarly: 'a 429' }

const cases: readonly (readonly [sentence: string, report: Report, strict: number, lenient: number])[] = [
  ['every selected MUST holds', report, 0, 0],
  ['a MUST is broken', withRule({ verdict: 'fail' }), 1, 1],
  ['a SHOULD is broken', withRule({ verdict: 'warn', level: 'SHOULD' }), 0, 0],
  ['a known failure fails', withRule({ verdict: 'fail', known: 'soon' }), 0, 0],
  ['a known failure no longer fails', withRule({ verdict: 'pass', known: 'soon' }), 1, 1],
  ['a known failure could not be judged', withRule({ verdict: 'inconclusive', known: 'soon' }), 3, 0],
  ['a MUST is inconclusive', withRule({ verdict: 'inconclusive' }), 3, 0],
  ['a SHOULD is inconclusive', withRule({ verdict: 'inconclusive', level: 'SHOULD' }), 0, 0],
  ['a rule does not apply', withRule({ verdict: 'not-applicable' }), 0, 0],
  ['a rule was not selected', withRule({ verdict: 'not-run', deselected: 'filter' }, ended), 0, 0],
  ['a wait was too long', withRule({ verdict: 'not-run', level: 'SHOULD' }), 0, 0],
  ['the run ended early before a rule', withRule({ verdict: 'not-run' }, ended), 3, 3],
  ['the run ended early with an undecided MUST', withRule({ verdict: 'inconclusive' }, ended), 3, 3],
  ['the run ended early and every selected rule holds', withRule({ verdict: 'pass' }, ended), 0, 0],
  ['the run ended early and a MUST is broken', withRule({ verdict: 'fail' }, ended), 1, 1],
]

for (const [sentence, judged, strict, lenient] of cases) {
  test(`the exit code is ${strict}, or ${lenient} with allowInconclusive, if ${sentence}`, () => {
    assert.equal(exitCode(judged), strict)
    assert.equal(exitCode(judged, { allowInconclusive: true }), lenient)
  })
}
