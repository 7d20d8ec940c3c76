import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { causeHeadline, headline, runProblems } from './outcome.ts'
import type { Report } from './report.ts'
import { sections } from './sections.ts'
import { sample, sampleRule, sampleWith } from './testing/sample.ts'

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

  it('the problems of a run are its early end and each known failure that passes', () => {
    assert.deepEqual(
      runProblems(sample).map(({ kind, title }) => [kind, title]),
      [
        ['error', 'The run ended early'],
        ['failure', 'LIST-1 no longer fails'],
      ],
    )
  })
})

describe('sections', () => {
  it("the sections of a report have the spec's order, and the rules the order of the report", () => {
    const names = sections(sample).map(({ name, rules }) => [name, ...rules.map(({ id }) => id)])
    assert.deepEqual(names, [
      ['4.1 List animals: GET /pets', 'LIST-10', 'LIST-4', 'LIST-1', 'LIST-12'],
      ['4.2 Add an animal: POST /pets', 'CREATE-1', 'CREATE-2'],
      ['4.3 Get an animal: GET /pets/{petId}', 'GET-7'],
      ['5 Authentication', 'AUTH-10'],
      ['9 Versioning', 'VER-1'],
    ])
  })

  it('a section that the spec does not have is named by its number only', () => {
    const report = sampleWith([{ ...sampleRule('VER-1'), section: '10' }])
    assert.deepEqual(
      sections(report).map(({ name }) => name),
      ['10'],
    )
  })
})
