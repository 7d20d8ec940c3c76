import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Verdict } from '../rules/rule.ts'
import { difference } from './difference.ts'
import { sampleRule, sampleWith } from './testing/sample.ts'

/** A report of rules with these verdicts, in this order. */
const reportOf = (...verdicts: readonly Verdict[]) =>
  sampleWith(verdicts.map((verdict, n) => ({ ...sampleRule('VER-1'), id: `LIST-${n + 1}`, verdict })))

test('the difference of two reports has what broke, what holds again, and other changes', () => {
  const earlier = reportOf('pass', 'fail', 'inconclusive', 'pass', 'fail', 'warn')
  const report = reportOf('fail', 'pass', 'pass', 'pass', 'inconclusive', 'fail')
  const { broke, mended, other } = difference(report, earlier)
  const named = (changes: typeof broke) => changes.map(({ rule, before }) => [rule.id, before, rule.verdict])
  assert.deepEqual(named(broke), [['LIST-1', 'pass', 'fail']])
  assert.deepEqual(named(mended), [['LIST-2', 'fail', 'pass']])
  assert.deepEqual(named(other), [
    ['LIST-3', 'inconclusive', 'pass'],
    ['LIST-5', 'fail', 'inconclusive'],
    ['LIST-6', 'warn', 'fail'],
  ])
})

test('a rule that the earlier report does not have is new', () => {
  const { broke, other } = difference(reportOf('pass', 'fail', 'pass'), reportOf('pass'))
  assert.deepEqual([broke[0]?.rule.id, broke[0]?.before], ['LIST-2', undefined])
  assert.deepEqual(
    other.map(({ rule }) => rule.id),
    ['LIST-3'],
  )
})

test('a report does not differ from itself', () => {
  const report = reportOf('pass', 'fail', 'warn')
  assert.deepEqual(difference(report, report), { broke: [], mended: [], other: [] })
})
