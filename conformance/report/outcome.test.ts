import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { sample, sampleRule, sampleWith } from '../testing/sample.ts'
import { printable } from '../transcript/printable.ts'
import { formatExcerpt } from './facts.ts'
import { exitCode, formatCauseHeadline, formatHeadline } from './outcome.ts'
import { formatSummary, pretty } from './pretty.ts'
import type { Report, RuleResult } from './report.ts'

const pass = sampleRule('VER-1')

const headlines: readonly (readonly [when: string, report: Report, expected: string])[] = [
  ['a cause explains every failure', sample, '1 cause behind 1 failure: RATE-6'],
  [
    'a requirement is broken without a known cause',
    { ...sample, causes: [] },
    '1 requirement of the interface broken: RATE-6',
  ],
  [
    'a cause explains some failures',
    sampleWith([sampleRule('RATE-6'), { ...sampleRule('RATE-6'), id: 'LIST-11' }]),
    '1 cause behind 1 of 2 failures: RATE-6',
  ],
  [
    'a cause explains why rules could not be judged',
    sampleWith([sampleRule('LIST-14')], { endedEarly: 'the key is rejected' }),
    'The run ended early; 1 cause behind 1 rule that could not be judged',
  ],
  [
    'the run ended early and nothing is broken',
    sampleWith([pass], { endedEarly: 'the host is gone' }),
    'The run ended early',
  ],
  ['a known failure passes', sampleWith([sampleRule('LIST-1')]), 'LIST-1 no longer fails'],
  [
    'evidence is missing',
    sampleWith([pass, sampleRule('LIST-14')]),
    'Nothing broken, but 1 requirement could not be judged: LIST-14',
  ],
  [
    'only a known failure is left',
    sampleWith([sampleRule('LIST-4'), pass]),
    'Every requirement that was judged holds besides 1 known failure',
  ],
  [
    'evidence is missing beside a known failure',
    sampleWith([sampleRule('LIST-4'), pass, sampleRule('LIST-14')]),
    'Nothing broken besides 1 known failure, but 1 requirement could not be judged: LIST-14',
  ],
  ['nothing was judged', sampleWith([sampleRule('AUTH-12')]), 'Nothing was judged'],
]

describe('the headline of a report', () => {
  for (const [when, report, expected] of headlines) {
    it(`is one sentence when ${when}`, () => assert.equal(formatHeadline(report), expected))
  }

  it('counts causes of failures, else undecided rules, else warnings', () => {
    const warned = { ...sampleRule('AUTH-10'), id: 'RATE-6' }
    for (const [rules, expected] of [
      [[sampleRule('RATE-6'), sampleRule('LIST-14')], '1 cause behind 1 failure'],
      [[sampleRule('LIST-14'), warned], '1 cause behind 1 rule that could not be judged'],
      [[warned], '1 cause behind 1 warning'],
      [[pass], undefined],
    ] as const)
      assert.equal(formatCauseHeadline(sampleWith(rules)), expected)
  })
})

for (const [sentence, [before, marked, after], columns, lines] of [
  ['the carets are below the marked part', ['{"id":', '"7"', '}'], 80, ['{"id":"7"}', '      ^^^']],
  ['an excerpt without a mark is one line', ['##', '', '[error]'], 80, ['#\\u0023[error]']],
  ['escapes count as what they show', ['', '\ufeff', '[\n]'], 80, ['\\ufeff[\\n]', '^^^^^^']],
  [
    'text around the mark is left out where the line is too long',
    ['b'.repeat(100), 'mark', 'a'.repeat(100)],
    40,
    ['…bbbbbbbbbmarkaaaaaaaaaaaaaaaaaaaaaaaaa…', `${' '.repeat(10)}^^^^`],
  ],
] as const) {
  test(sentence, () => assert.deepEqual(formatExcerpt({ before, marked, after }, columns), lines))
}

test('an excerpt and its carets fit the columns', () => {
  const text = fc.string({ unit: fc.constantFrom(...'a:#[…"\n\u001b\u202e猫 ') })
  fc.assert(
    fc.property(text, text, text, fc.integer({ min: 20, max: 60 }), (before, marked, after, columns) => {
      const [line = '', carets = ''] = formatExcerpt({ before, marked, after }, columns)
      assert.equal(printable(line), line)
      assert.match(carets, /^ *\^*$/)
      assert.ok(carets.length <= line.length)
      // an escape of a command that a cut produced makes the line longer
      assert.ok(line.replaceAll(/\\u003a|\\u0023/g, ':').length <= columns)
    }),
  )
})

const plain = { color: false }
const text = pretty(sample, plain)

describe('pretty', () => {
  it('has causes, then other broken rules, then every rule', () => {
    assert.match(
      text,
      /explains {2}1 failed: RATE-6; 1 inconclusive: LIST-14[\s\S]* ✗ RATE-6 [\s\S]*\nWithout a common cause\n {2}! AUTH-10 [\s\S]* ✗ LIST-4 [\s\S]*\n4\.1 List[\s\S]* ✓ VER-1 /,
    )
  })

  it('has all facts for the first rule of a cause, and few for others', () => {
    const second = { ...sampleRule('RATE-6'), id: 'LIST-14', got: 'another thing' }
    const report = pretty(sampleWith([sampleRule('RATE-6'), second]), plain)
    const block = report.split('\n\n').find((part) => part.startsWith('  ✗ LIST-14')) ?? 'none'
    assert.deepEqual(
      block.split('\n').map((line) => line.trim().split(/ {2,}/)[0]),
      ['✗ LIST-14', 'MUST · section 8 of the interface', 'expected', 'got', 'again'],
    )
  })

  it('has reasons of undecided rules, and one line per reason', () => {
    assert.match(text, /\? LIST-14 .*\n {14}no returned animal has a status/)
    assert.match(text, /· AUTH-12, AUTH-15: not run, requires the profile exhaust/)
  })

  it('ends with the problems, the counts and the outcome', () => {
    assert.deepEqual(text.split('\n').slice(-7), [
      '1. X-RateLimit-Reset: 60 looks like seconds to go; the interface requires a Unix time in seconds',
      'The run ended early: ended by a 429; wait 30 s and run it again',
      'LIST-1 no longer fails: remove LIST-1 from the known failures (its reason there: was down in April)',
      '2 failed · 1 warned · 1 inconclusive · 2 passed · 1 not applicable · 2 not run (1 known)',
      '83 requests in 0.8 s, 9 animals created',
      '1 cause behind 1 failure: RATE-6',
      '',
    ])
    assert.ok(text.endsWith(formatSummary(sample, plain)))
  })

  it('fits its columns, except for commands, and loses no word', () => {
    const narrow = pretty(sample, { color: false, columns: 50 })
    const lines = narrow.split('\n').filter((line) => /^ +(?!again)\S/.test(line))
    assert.ok(lines.some((line) => line.length > 40))
    for (const line of lines) assert.ok(line.length <= 50, line)
    const words = (report: string): string =>
      report.replace(/^ +(?:header|body) .*\n(?: +\^+\n)?/gm, '').replace(/\s+/g, ' ')
    assert.equal(words(narrow), words(text))
  })

  it('has colour only on request', () => {
    const styled = pretty(sample, { color: true })
    assert.equal(stripVTControlCharacters(text), text)
    assert.ok(styled.includes('\u001b[31m✗\u001b[39m'))
    assert.equal(stripVTControlCharacters(styled), text)
  })
})

const judged = (change: Partial<RuleResult>, more: Partial<Report> = {}): Report =>
  sampleWith([{ ...pass, ...change }], more)
const ended = { endedEarly: 'a 429' }

const cases: readonly (readonly [sentence: string, report: Report, strict: number, lenient: number])[] = [
  ['every selected MUST holds', judged({}), 0, 0],
  ['a MUST is broken', judged({ verdict: 'fail' }), 1, 1],
  ['a SHOULD is broken', judged({ verdict: 'warn', level: 'SHOULD' }), 0, 0],
  ['a known failure fails', judged({ verdict: 'fail', known: 'soon' }), 0, 0],
  ['a known failure no longer fails', judged({ verdict: 'pass', known: 'soon' }), 1, 1],
  ['a known failure could not be judged', judged({ verdict: 'inconclusive', known: 'soon' }), 3, 0],
  ['a MUST is inconclusive', judged({ verdict: 'inconclusive' }), 3, 0],
  ['a SHOULD is inconclusive', judged({ verdict: 'inconclusive', level: 'SHOULD' }), 0, 0],
  ['a rule does not apply', judged({ verdict: 'not-applicable' }), 0, 0],
  ['a rule was not selected', judged({ verdict: 'not-run', deselected: 'filter' }, ended), 0, 0],
  ['a wait was too long', judged({ verdict: 'not-run', level: 'SHOULD' }), 0, 0],
  ['the run ended early before a rule', judged({ verdict: 'not-run' }, ended), 3, 3],
  ['the run ended early with an undecided MUST', judged({ verdict: 'inconclusive' }, ended), 3, 3],
  ['the run ended early and every selected rule holds', judged({ verdict: 'pass' }, ended), 0, 0],
  ['the run ended early and a MUST is broken', judged({ verdict: 'fail' }, ended), 1, 1],
]

for (const [sentence, one, strict, lenient] of cases) {
  test(`exits ${strict} (${lenient} if allowed): ${sentence}`, () => {
    assert.equal(exitCode(one), strict)
    assert.equal(exitCode(one, { allowInconclusive: true }), lenient)
  })
}
