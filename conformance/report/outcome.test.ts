import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { headline, runProblems } from './outcome.ts'
import type { Report } from './report.ts'
import { sample, sampleRule, sampleWith } from './testing/sample.ts'

const pass = sampleRule('VER-1')

const headlines: readonly (readonly [when: string, report: Report, expected: string])[] = [
  ['a requirement is broken', sample, '1 requirement of the interface broken: LIST-10'],
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
    'Every requirement that was judged holds',
  ],
  ['nothing was judged', sampleWith([sampleRule('CREATE-1')]), 'Nothing was judged'],
]

describe('outcome', () => {
  for (const [when, report, expected] of headlines) {
    it(`the headline is one sentence when ${when}`, () => assert.equal(headline(report), expected))
  }

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
