import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sample, sampleHolding, sampleRule, sampleWith } from '../testing/sample.ts'
import { tap } from './tap.ts'

const lines = tap(sample).split('\n')

const point = (id: string): string | undefined =>
  lines.find((line) => /^(not )?ok/.test(line) && line.includes(`- ${id} `))

describe('tap', () => {
  it('a TAP report declares version 14 and the number of its points, which are numbered from 1', () => {
    const points = lines.filter((line) => /^(not )?ok/.test(line))
    assert.deepEqual(lines.slice(0, 2), ['TAP version 14', `1..${points.length}`])
    assert.deepEqual(
      points.map((line) => Number(/^(?:not )?ok (\d+)/.exec(line)?.[1])),
      points.map((_, index) => index + 1),
    )
  })

  it('a TAP point is ok for a pass or a warning, and not ok for a failure', () => {
    assert.equal(point('VER-1'), 'ok 1 - VER-1 the path of the base URL ends in /v1')
    assert.match(point('AUTH-10') ?? '', /^ok/)
    assert.equal(point('LIST-10'), 'not ok 2 - LIST-10 `limit=101` never yields more than 100 animals')
  })

  it('a TAP report marks known failures as TODO and undecided rules as SKIP', () => {
    assert.match(point('LIST-4') ?? '', /^not ok .* # TODO known failure: old rows, migrated in May$/)
    assert.match(point('LIST-12') ?? '', /^ok .* # SKIP inconclusive: the list is empty/)
    assert.match(point('GET-7') ?? '', /^ok .* # SKIP not-applicable: /)
    assert.match(point('CREATE-1') ?? '', /^ok .* # SKIP not-run: /)
  })

  it('a TAP report has one more failing point for each problem of the run', () => {
    assert.ok(lines.includes('not ok 10 - The run ended early'))
    assert.ok(lines.includes('not ok 11 - LIST-1 no longer fails'))
  })

  it('a failing TAP point has a YAML block whose values are JSON strings', () => {
    const start = lines.indexOf(point('LIST-10') ?? '')
    const block = lines.slice(start + 1, lines.indexOf('  ...', start) + 1)
    assert.deepEqual(block.slice(0, 10), [
      '  ---',
      '  verdict: "fail"',
      '  level: "MUST"',
      '  section: "4.1"',
      '  cause: "The parameter limit is ignored: limit=101 returns 101 animals"',
      '  expected: "at most 100 animals, or a 4xx"',
      '  got: "200 with 101 animals"',
      '  at: "$[100] in the body"',
      '  response: "200 OK, application/json; charset=utf-8"',
      '  body: "…{\\"id\\":100},{\\"id\\":101}]"',
    ])
  })

  it('a TAP report begins with the causes as comments', () => {
    assert.deepEqual(lines.slice(2, 5), [
      '# 1 cause behind 1 failure',
      '# 1. The parameter limit is ignored: limit=101 returns 101 animals',
      '# return at most so many animals as limit asks for (explains LIST-10, LIST-12)',
    ])
  })

  it('no text of a deployment becomes a line or a directive of TAP', () => {
    const known = { ...sampleRule('LIST-4'), known: 'x # SKIP \\ \nok 9 - y' }
    assert.match(tap(sampleWith([known])), /# TODO known failure: x \\# SKIP \\\\ \\\\nok 9 - y\n/)
    const held = tap(sampleHolding('\nok 99 - all good\nBail out!\u001b')).split('\n')
    assert.equal(held.filter((line) => /^(ok 99|Bail out)/.test(line)).length, 0)
    assert.doesNotMatch(held.join(''), /\p{Cc}/u)
  })
})
