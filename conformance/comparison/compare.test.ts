import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { judge } from '../judge/judge.ts'
import type { Report } from '../report/report.ts'
import { sample, sampleHolding, sampleRule, sampleWith } from '../report/testing/sample.ts'
import { verdictNames } from '../report/verdicts.ts'
import type { Verdict } from '../rules/rule.ts'
import { recorded } from '../testing/recorded.ts'
import { type ChangedRule, compare, comparisonExitCode } from './compare.ts'
import { comparisonFormats } from './formats.ts'

/** A report of rules with these verdicts, in this order. */
const reportOf = (...verdicts: readonly Verdict[]): Report =>
  sampleWith(verdicts.map((verdict, n) => ({ ...sampleRule('VER-1'), id: `LIST-${n + 1}`, verdict })))
const named = (rules: readonly ChangedRule[]) => rules.map(({ rule, before, after }) => [rule, before, after])

describe('compare', () => {
  for (const [group, before, after] of [
    ['regressions', 'pass', 'fail'],
    ['regressions', 'pass', 'warn'],
    ['regressions', 'not-applicable', 'fail'],
    ['broken', 'inconclusive', 'fail'],
    ['broken', 'not-run', 'warn'],
    ['broken', undefined, 'fail'],
    ['mended', 'fail', 'pass'],
    ['others', 'pass', 'inconclusive'],
  ] as const) {
    it(`a rule that was ${before ?? 'absent'} and is ${after} now is among the ${group}`, () => {
      const comparison = compare(reportOf(...(before ? [before] : [])), reportOf(after))
      const { regressions, broken, mended, others } = comparison
      const found = Object.entries({ regressions, broken, mended, others }).flatMap(([name, rules]) =>
        named(rules).map((change) => [name, ...change]),
      )
      assert.deepEqual(found, [[group, 'LIST-1', before, after]])
      assert.equal(comparisonExitCode(comparison), group === 'regressions' ? 1 : 0)
    })
  }

  it('a known failure is no regression', () => {
    const [rule] = reportOf('fail').rules
    assert.ok(rule)
    const comparison = compare(reportOf('pass'), sampleWith([{ ...rule, known: 'ticket 7' }]))
    assert.deepEqual([comparison.regressions, named(comparison.broken)], [[], [['LIST-1', 'pass', 'fail']]])
  })

  it('rules that one of the runs did not select are left out', () => {
    const all = judge(recorded('read'))
    const comparison = compare(all, judge(recorded('read'), { only: ['LIST-1'] }))
    assert.equal(comparison.rules, 1)
    assert.deepEqual([comparison.others, comparison.regressions], [[], []])
  })

  it('without a regression, a run that ended early cannot be compared', () => {
    const ended = sampleWith([], { endedEarly: 'a 429' })
    assert.equal(comparisonExitCode(compare(ended, reportOf('pass'))), 3)
    assert.equal(
      comparisonExitCode(
        compare(reportOf('pass'), sampleWith(reportOf('fail').rules, { endedEarly: 'a 429' })),
      ),
      1,
    )
  })

  it('observations and times that differ are listed', () => {
    const slow = judge(recorded('read', { list: { ms: 150 }, 'list-1': { ms: 1.9 } }))
    const observations = [
      { gap: 'order', section: '4.1', statement: 's', observed: 'by id' },
      { gap: 'limits', section: '8', statement: 's', observed: 'yes' },
    ]
    const before = { ...judge(recorded('read')), observations }
    const after = {
      ...slow,
      observations: [{ ...observations[0], observed: 'by name' }] as Report['observations'],
    }
    const comparison = compare(before, after)
    assert.deepEqual(comparison.observations, [
      { gap: 'order', section: '4.1', before: 'by id', after: 'by name' },
      { gap: 'limits', section: '8', before: 'yes' },
    ])
    assert.deepEqual(comparison.timings, {
      median: { before: 1, after: 1 },
      changed: [{ exchange: 'list', before: 1, after: 150 }],
    })
  })

  it('a report has no difference from itself, and each change has a group of its own', () => {
    const verdicts = fc.array(fc.constantFrom(...verdictNames), { maxLength: 6 })
    fc.assert(
      fc.property(verdicts, verdicts, (before, after) => {
        const same = compare(reportOf(...before), reportOf(...before))
        assert.deepEqual([same.regressions, same.broken, same.mended, same.others], [[], [], [], []])
        const { regressions, broken, mended, others } = compare(reportOf(...before), reportOf(...after))
        const differing = after.filter((verdict, n) => verdict !== before[n]).length
        assert.equal(regressions.length + broken.length + mended.length + others.length, differing)
      }),
    )
  })
})

describe('the formats of a comparison', () => {
  const comparison = compare(reportOf('pass', 'fail', 'inconclusive'), reportOf('fail', 'pass', 'fail'))

  it('a comparison on the terminal has what got worse first, and the outcome last', () => {
    const text = comparisonFormats.pretty(comparison, { color: false })
    assert.match(text, /^baseline {2}\S+, profile \w+, \S+\ncurrent {3}/)
    assert.match(
      text,
      /\n\nGot worse\n {2}✗ LIST-1 [\s\S]*\n\nBroken, and not judged in the baseline or known\n {2}✗ LIST-3 [\s\S]*\n\nGot better\n {2}✓ LIST-2 /,
    )
    assert.match(text, /\n1 rule got worse: LIST-1; 1 got better\n$/)
  })

  it('a comparison on the terminal has a line each for what a deployment decided before, and now', () => {
    const observations = [{ gap: 'order', section: '4.1', after: 'by id' }]
    const text = comparisonFormats.pretty({ ...comparison, observations }, { color: false })
    assert.match(text, /\n {2}order\n {4}before {4}not observed\n {4}now {7}by id\n/)
  })

  it('a quiet comparison has what got worse, and the outcome', () => {
    const text = comparisonFormats.pretty(comparison, { color: false, isQuiet: true })
    assert.match(text, /^Got worse\n[^\n]+\n[^\n]+\n\n1 rule got worse: LIST-1; 1 got better\n$/)
  })

  it('a comparison in markdown has a table for each group', () => {
    const text = comparisonFormats.markdown(comparison, { color: false })
    assert.match(
      text,
      /^# Pet adoption service: comparison of two runs\n\n\*\*1 rule got worse: LIST-1; 1 got better\*\*/,
    )
    assert.match(
      text,
      /## Got worse\n\n\| Rule \| Level \|[^\n]+\n[^\n]+\n\| LIST-1 \| MUST \| pass \| ✗ fail \|/,
    )
  })

  it('a comparison in JSON is the comparison', () => {
    assert.deepEqual(JSON.parse(comparisonFormats.json(comparison, { color: false })), comparison)
  })

  for (const [name, format] of Object.entries(comparisonFormats)) {
    it(`in the format ${name} no text of a report is a command of a terminal or a CI system`, () => {
      for (const hostile of ['x\n::error::y', '\u001b[2J', '##[group]z']) {
        const text = format(compare(sampleHolding('a'), sampleHolding(hostile)), { color: false })
        assert.doesNotMatch(text.replaceAll('\n', ' '), /\p{Cc}/u)
        assert.doesNotMatch(text, /^\s*::|##\w*\[/m)
        assert.ok(format(compare(sample, sampleHolding(hostile)), { color: false, columns: 40 }).length > 0)
      }
    })
  }
})
