import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { createSample, getSampleRule, sample } from '../testing/sample.ts'
import { toPrintable } from '../transcript/printable.ts'
import { formatExcerpt } from './facts.ts'
import { exitCode, formatCauseHeadline, formatHeadline } from './outcome.ts'
import { formatPretty, formatSummary } from './pretty.ts'
import type { Report, RuleResult } from './report.ts'

const passedRule = getSampleRule('VER-1')

const headlines: readonly (readonly [when: string, report: Report, expected: string])[] = [
  ['a cause explains every failure', sample, '1 cause behind 1 failure: RATE-6'],
  [
    'a requirement is broken without a common cause',
    { ...sample, causes: [] },
    '1 requirement broken: RATE-6',
  ],
  [
    'a cause explains some failures',
    createSample([getSampleRule('RATE-6'), { ...getSampleRule('RATE-6'), id: 'LIST-11' }]),
    '1 cause behind 1 of 2 failures: RATE-6',
  ],
  [
    'a cause explains why rules could not be judged',
    createSample([getSampleRule('LIST-14')], { endedEarly: 'the key is rejected' }),
    'The run ended early; 1 cause behind 1 rule that could not be judged',
  ],
  [
    'the run ended early and nothing is broken',
    createSample([passedRule], { endedEarly: 'the host is gone' }),
    'The run ended early',
  ],
  ['a known failure passes', createSample([getSampleRule('LIST-1')]), 'LIST-1 no longer fails'],
  [
    'evidence is missing',
    createSample([passedRule, getSampleRule('LIST-14')]),
    'No requirement broken, but 1 requirement could not be judged: LIST-14',
  ],
  [
    'only a known failure is left',
    createSample([getSampleRule('LIST-4'), passedRule]),
    'All judged requirements hold except for 1 known failure',
  ],
  [
    'evidence is missing, and a known failure still fails',
    createSample([getSampleRule('LIST-4'), passedRule, getSampleRule('LIST-14')]),
    'No requirement broken except for 1 known failure, but 1 requirement could not be judged: LIST-14',
  ],
  ['nothing was judged', createSample([getSampleRule('AUTH-12')]), 'Nothing was judged'],
]

describe('the headline of a report', () => {
  for (const [when, report, expected] of headlines) {
    it(`summarizes the run if ${when}`, () => assert.equal(formatHeadline(report), expected))
  }

  it('counts failures, then undecided rules, then warnings', () => {
    const warnedRule = { ...getSampleRule('AUTH-10'), id: 'RATE-6' }
    for (const [rules, expected] of [
      [[getSampleRule('RATE-6'), getSampleRule('LIST-14')], '1 cause behind 1 failure'],
      [[getSampleRule('LIST-14'), warnedRule], '1 cause behind 1 rule that could not be judged'],
      [[warnedRule], '1 cause behind 1 warning'],
      [[passedRule], undefined],
    ] as const)
      assert.equal(formatCauseHeadline(createSample(rules)), expected)
  })
})

for (const [sentence, [before, marked, after], columns, lines] of [
  ['an excerpt has carets below its marked part', ['{"id":', '"7"', '}'], 80, ['{"id":"7"}', '      ^^^']],
  ['an excerpt without a mark is one line', ['##', '', '[error]'], 80, ['#\\u0023[error]']],
  [
    'an excerpt has carets below every character in an escape',
    ['', '\ufeff', '[\n]'],
    80,
    ['\\ufeff[\\n]', '^^^^^^'],
  ],
  [
    'an excerpt is cut around its marked part if it is too long',
    ['b'.repeat(100), 'mark', 'a'.repeat(100)],
    40,
    ['…bbbbbbbbbmarkaaaaaaaaaaaaaaaaaaaaaaaaa…', `${' '.repeat(10)}^^^^`],
  ],
] as const) {
  test(sentence, () => assert.deepEqual(formatExcerpt({ before, marked, after }, columns), lines))
}

test('an excerpt fits into the given number of columns', () => {
  const arbitraryText = fc.string({ unit: fc.constantFrom(...'a:#[…"\n\u001b\u202e猫 ') })
  fc.assert(
    fc.property(
      arbitraryText,
      arbitraryText,
      arbitraryText,
      fc.integer({ min: 20, max: 60 }),
      (before, marked, after, columns) => {
        const [line = '', carets = ''] = formatExcerpt({ before, marked, after }, columns)
        assert.equal(toPrintable(line), line)
        assert.match(carets, /^ *\^*$/)
        assert.ok(carets.length <= line.length)
        // Escaping a log command makes the line longer.
        assert.ok(line.replaceAll(/\\u003a|\\u0023/g, ':').length <= columns)
      },
    ),
  )
})

const plainStyle = { color: false }
const reportText = formatPretty(sample, plainStyle)

describe('a report for a terminal', () => {
  it('groups failures by their causes', () => {
    assert.match(
      reportText,
      /explains {2}1 failed: RATE-6; 1 inconclusive: LIST-14[\s\S]* ✗ RATE-6 [\s\S]*\nFailures without a common cause\n {2}! AUTH-10 [\s\S]* ✗ LIST-4 [\s\S]*\n4\.1 List[\s\S]* ✓ VER-1 /,
    )
  })

  it('shortens further failures with the same cause', () => {
    const otherRule = { ...getSampleRule('RATE-6'), id: 'LIST-14', got: 'another thing' }
    const report = formatPretty(createSample([getSampleRule('RATE-6'), otherRule]), plainStyle)
    const ruleBlock = report.split('\n\n').find((part) => part.startsWith('  ✗ LIST-14')) ?? 'none'
    assert.deepEqual(
      ruleBlock.split('\n').map((line) => line.trim().split(/ {2,}/)[0]),
      ['✗ LIST-14', 'MUST · section 8 of the interface', 'expected', 'got', 'again'],
    )
  })

  it('explains why rules have no verdict', () => {
    assert.match(reportText, /\? LIST-14 .*\n {14}no returned animal has a status/)
    assert.match(reportText, /· AUTH-12, AUTH-15: not run, requires profile exhaust/)
  })

  it('ends with the summary', () => {
    assert.deepEqual(reportText.split('\n').slice(-7), [
      '1. X-RateLimit-Reset: 60 looks like remaining seconds; the interface requires a Unix time in seconds',
      'The run ended early: ended by a 429; wait 30 s and run it again',
      'LIST-1 no longer fails: remove LIST-1 from the known failures (its reason there: was down in April)',
      '2 failed · 1 warned · 1 inconclusive · 2 passed · 1 not applicable · 2 not run (1 known)',
      '84 requests in 0.8 s, 10 animals created; in parallel: 4 of 4 (create-together)',
      '1 cause behind 1 failure: RATE-6',
      '',
    ])
    assert.ok(reportText.endsWith(formatSummary(sample, plainStyle)))
  })

  it("wraps lines at the terminal's width", () => {
    const narrowReport = formatPretty(sample, { color: false, columns: 50 })
    const lines = narrowReport.split('\n').filter((line) => /^ +(?!again)\S/.test(line))
    assert.ok(lines.some((line) => line.length > 40))
    for (const line of lines) assert.ok(line.length <= 50, line)
    const joinWords = (report: string): string =>
      report.replace(/^ +(?:header|body) .*\n(?: +\^+\n)?/gm, '').replace(/\s+/g, ' ')
    assert.equal(joinWords(narrowReport), joinWords(reportText))
  })

  it('has the same text with colors', () => {
    const styledReport = formatPretty(sample, { color: true })
    assert.equal(stripVTControlCharacters(reportText), reportText)
    assert.ok(styledReport.includes('\u001b[31m✗\u001b[39m'))
    assert.equal(stripVTControlCharacters(styledReport), reportText)
  })
})

const createJudged = (change: Partial<RuleResult>, more: Partial<Report> = {}): Report =>
  createSample([{ ...passedRule, ...change }], more)
const earlyEnd = { endedEarly: 'a 429' }

const cases: readonly (readonly [sentence: string, report: Report, strict: number, lenient: number])[] = [
  ['every selected MUST holds', createJudged({}), 0, 0],
  ['a MUST is broken', createJudged({ verdict: 'fail' }), 1, 1],
  ['a SHOULD is broken', createJudged({ verdict: 'warn', level: 'SHOULD' }), 0, 0],
  ['a known failure fails', createJudged({ verdict: 'fail', known: 'soon' }), 0, 0],
  ['a known failure no longer fails', createJudged({ verdict: 'pass', known: 'soon' }), 1, 1],
  ['a known failure could not be judged', createJudged({ verdict: 'inconclusive', known: 'soon' }), 3, 0],
  ['a MUST is inconclusive', createJudged({ verdict: 'inconclusive' }), 3, 0],
  ['a SHOULD is inconclusive', createJudged({ verdict: 'inconclusive', level: 'SHOULD' }), 0, 0],
  ['a rule does not apply', createJudged({ verdict: 'not-applicable' }), 0, 0],
  ['a rule was not selected', createJudged({ verdict: 'not-run', deselected: 'filter' }, earlyEnd), 0, 0],
  ['a wait was too long', createJudged({ verdict: 'not-run', level: 'SHOULD' }), 0, 0],
  ['the run ended early before a rule', createJudged({ verdict: 'not-run' }, earlyEnd), 3, 3],
  ['the run ended early with an undecided MUST', createJudged({ verdict: 'inconclusive' }, earlyEnd), 3, 3],
  ['the run ended early and every selected rule holds', createJudged({ verdict: 'pass' }, earlyEnd), 0, 0],
  ['the run ended early and a MUST is broken', createJudged({ verdict: 'fail' }, earlyEnd), 1, 1],
]

for (const [sentence, one, strict, lenient] of cases) {
  test(`exitCode returns ${strict}, or ${lenient} with allowInconclusive, if ${sentence}`, () => {
    assert.equal(exitCode(one), strict)
    assert.equal(exitCode(one, { allowInconclusive: true }), lenient)
  })
}
