import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { sample, sampleRule, sampleWith } from '../testing/sample.ts'
import { printable } from '../transcript/printable.ts'
import { excerptLines } from './facts.ts'
import { causeHeadline, headline } from './outcome.ts'
import { pretty, prettySummary } from './pretty.ts'
import type { Report } from './report.ts'

const pass = sampleRule('VER-1')

const headlines: readonly (readonly [when: string, report: Report, expected: string])[] = [
  ['a cause explains every failure', sample, '1 cause behind 1 failure: LIST-10'],
  [
    'a requirement is broken without a known cause',
    { ...sample, causes: [] },
    '1 requirement of the interface broken: LIST-10',
  ],
  [
    'a cause explains some failures',
    sampleWith([sampleRule('LIST-10'), { ...sampleRule('LIST-10'), id: 'LIST-11' }]),
    '1 cause behind 1 of 2 failures: LIST-10, LIST-11',
  ],
  [
    'a cause explains why rules could not be judged',
    sampleWith([sampleRule('LIST-12')], { endedEarly: 'the key is rejected' }),
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
    sampleWith([pass, sampleRule('LIST-12')]),
    'Nothing broken, but 1 requirement could not be judged: LIST-12',
  ],
  [
    'only a known failure is left',
    sampleWith([sampleRule('LIST-4'), pass]),
    'Every requirement that was judged holds besides 1 known failure',
  ],
  [
    'evidence is missing beside a known failure',
    sampleWith([sampleRule('LIST-4'), pass, sampleRule('LIST-12')]),
    'Nothing broken besides 1 known failure, but 1 requirement could not be judged: LIST-12',
  ],
  ['nothing was judged', sampleWith([sampleRule('CREATE-1')]), 'Nothing was judged'],
]

describe('outcome', () => {
  for (const [when, report, expected] of headlines) {
    it(`the headline is one sentence when ${when}`, () => assert.equal(headline(report), expected))
  }

  it('the headline of causes counts failures, else rules that could not be judged, else warnings', () => {
    const [cause] = sample.causes
    assert.ok(cause)
    const warned = { ...sampleRule('AUTH-10'), id: 'LIST-10' }
    assert.equal(causeHeadline(sample), '1 cause behind 1 failure')
    assert.equal(
      causeHeadline(sampleWith([sampleRule('LIST-12'), warned])),
      '1 cause behind 1 rule that could not be judged',
    )
    assert.equal(causeHeadline(sampleWith([warned])), '1 cause behind 1 warning')
    assert.equal(causeHeadline(sampleWith([pass])), undefined)
    const failures = [sampleRule('LIST-10'), { ...sampleRule('LIST-10'), id: 'LIST-9' }]
    const causes = [cause, { ...cause, id: 'another', rules: ['LIST-9'] }]
    assert.equal(causeHeadline(sampleWith(failures, { causes })), '2 causes behind 2 failures')
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
    ['…bbbbbbbbbbbbbbbbbmarkaaaaaaaaaaaaaaaaa…', `${' '.repeat(18)}^^^^`],
  ],
] as const) {
  test(sentence, () => assert.deepEqual(excerptLines({ before, marked, after }, columns), lines))
}

test('an excerpt fits its columns, and the carets fit the line, whatever the text is', () => {
  const text = fc.string({ unit: fc.constantFrom(...'a:#[…"\n\u001b\u202e猫 ') })
  fc.assert(
    fc.property(text, text, text, fc.integer({ min: 20, max: 60 }), (before, marked, after, columns) => {
      const [line = '', carets = ''] = excerptLines({ before, marked, after }, columns)
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
  it('a terminal report lists failures first, then warnings, then known failures, then every rule', () => {
    const places = [/✗ LIST-10 {2}/, /! AUTH-10 {2}/, /✗ LIST-4 {2}/, /^4\.1 List/m, /✓ VER-1/].map((part) =>
      text.search(part),
    )
    assert.ok(places.every((place) => place > 0))
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
    )
  })

  it('a failure in a terminal report has its section, what was expected, what was received, and the command', () => {
    const block = text.split('\n\n').find((part) => part.includes('✗ LIST-10  '))
    assert.equal(
      block,
      [
        '  ✗ LIST-10   `limit=101` never yields more than 100 animals',
        '    MUST · section 4.1 of the interface',
        '    expected  at most 100 animals, or a 4xx',
        '    got       200 with 101 animals',
        '    at        $[100] in the body',
        '    response  200 OK, application/json; charset=utf-8',
        '    body      …{"id":100},{"id":101}]',
        '                          ^^^^^^^^^^',
        '    statement `limit=100` is valid, and returns at most 100 animals. No value of `limit` returns more. (interface.md#s4-1-limit-maximum)',
        '    exchanges limit-101, list',
        '    again     curl -i -H "Authorization: Bearer $PET_ADOPTION_API_KEY" \'https://staging.example.org/v1/pets?limit=101\'',
      ].join('\n'),
    )
  })

  it('a terminal report begins with the causes, what to do, and the rules that each explains', () => {
    assert.deepEqual(text.split('\n\n').slice(1, 3), [
      '1 cause behind 1 failure',
      [
        '1. The parameter limit is ignored: limit=101 returns 101 animals',
        '    advice    return at most so many animals as limit asks for',
        '    explains  1 failed: LIST-10; 1 inconclusive: LIST-12',
        '    shown by  limit-101, available',
      ].join('\n'),
    ])
    assert.match(text, /\n\nWithout a common cause\n\n {2}! AUTH-10/)
  })

  it('the rules of a cause have all facts once, and what was expected and received each', () => {
    const second = { ...sampleRule('LIST-10'), id: 'LIST-12', got: 'another thing' }
    const report = pretty(sampleWith([sampleRule('LIST-10'), second]), plain)
    const block = report.split('\n\n').find((part) => part.startsWith('  ✗ LIST-12')) ?? 'none'
    assert.deepEqual(
      block.split('\n').map((line) => line.trim().split(/ {2,}/)[0]),
      ['✗ LIST-12', 'MUST · section 4.1 of the interface', 'expected', 'got', 'again'].map((start) => start),
    )
  })

  it('a terminal report has the reason under an undecided rule, and one line for all rules left out for one reason', () => {
    assert.match(text, /\? LIST-12 .*\n {14}the list is empty/)
    assert.match(text, /· CREATE-1, CREATE-2: not run, profile create was not selected/)
  })

  it('a terminal report ends with the problems of the run, the counts and the outcome', () => {
    assert.deepEqual(text.split('\n').slice(-7), [
      '1. The parameter limit is ignored: limit=101 returns 101 animals',
      'The run ended early: ended by a 429; wait 30 s and run it again',
      'LIST-1 no longer fails: remove LIST-1 from the known failures (its reason there: was down in April)',
      '2 failed · 1 warned · 1 inconclusive · 2 passed · 1 not applicable · 2 not run (1 known)',
      '4 requests in 0.8 s, 1 animal created',
      '1 cause behind 1 failure: LIST-10',
      '',
    ])
    assert.ok(text.endsWith(prettySummary(sample, plain)))
  })

  it('a terminal report leaves out empty parts', () => {
    const good = pretty(sampleWith([sampleRule('VER-1')], { observations: [], created: [] }), plain)
    assert.doesNotMatch(good, /leaves open|created by this run|known|failed/)
    assert.match(good, /1 passed\n/)
  })

  it('a terminal report fits the columns of the terminal, except for commands, and loses no word but of excerpts', () => {
    const narrow = pretty(sample, { color: false, columns: 50 })
    const lines = narrow.split('\n').filter((line) => /^ +(?!again)\S/.test(line))
    assert.ok(lines.some((line) => line.length > 40))
    for (const line of lines) assert.ok(line.length <= 50, line)
    assert.ok(narrow.includes('\n              100 animals\n'))
    const words = (report: string): string =>
      report.replace(/^ +(?:header|body) .*\n +\^+$/gm, '').replace(/\s+/g, ' ')
    assert.equal(words(narrow), words(text))
  })

  it('a terminal report has colour only on request', () => {
    const styled = pretty(sample, { color: true })
    assert.equal(stripVTControlCharacters(text), text)
    assert.ok(styled.includes('\u001b[31m✗\u001b[39m'))
    assert.equal(stripVTControlCharacters(styled), text)
  })
})
