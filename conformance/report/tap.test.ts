import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tap } from './tap.ts'
import { sample, sampleHolding, sampleRule, sampleWith } from './testing/sample.ts'

const lines = tap(sample).split('\n')

const point = (id: string): string | undefined =>
  lines.find((line) => /^(not )?ok/.test(line) && line.includes(`- ${id} `))

describe('the tap format', () => {
  it('announces version 14 and as many points as it has, numbered from 1', () => {
    const points = lines.filter((line) => /^(not )?ok/.test(line))
    assert.deepEqual(lines.slice(0, 2), ['TAP version 14', `1..${points.length}`])
    assert.deepEqual(
      points.map((line) => Number(/^(?:not )?ok (\d+)/.exec(line)?.[1])),
      points.map((_, index) => index + 1),
    )
  })

  it('passes what passes and what is only a warning, and fails what fails', () => {
    assert.equal(point('VER-1'), 'ok 1 - VER-1 the path of the base address ends in /v1')
    assert.match(point('AUTH-10') ?? '', /^ok/)
    assert.equal(point('LIST-10'), 'not ok 2 - LIST-10 `limit=101` never yields more than 100 animals')
  })

  it('marks a known failure as to be done, and what was not judged as skipped', () => {
    assert.match(point('LIST-4') ?? '', /^not ok .* # TODO known failure: old rows, migrated in May$/)
    assert.match(point('LIST-12') ?? '', /^ok .* # SKIP inconclusive: the list is empty/)
    assert.match(point('GET-7') ?? '', /^ok .* # SKIP not-applicable: /)
    assert.match(point('CREATE-1') ?? '', /^ok .* # SKIP not-run: /)
  })

  it('fails one more point for each problem of the run', () => {
    assert.ok(lines.includes('not ok 10 - The run ended early'))
    assert.ok(lines.includes('not ok 11 - LIST-1 no longer fails'))
  })

  it('gives the reason in a block of YAML whose values are JSON strings', () => {
    const start = lines.indexOf(point('LIST-10') ?? '')
    const block = lines.slice(start + 1, lines.indexOf('  ...', start) + 1)
    assert.deepEqual(block.slice(0, 6), [
      '  ---',
      '  verdict: "fail"',
      '  level: "MUST"',
      '  section: "4.1"',
      '  expected: "at most 100 animals, or a 4xx"',
      '  got: "200 with 101 animals"',
    ])
  })

  it('lets no text of a deployment become a line or a directive', () => {
    const known = { ...sampleRule('LIST-4'), known: 'x # SKIP \\ \nok 9 - y' }
    assert.match(tap(sampleWith([known])), /# TODO known failure: x \\# SKIP \\\\ \\\\nok 9 - y\n/)
    const held = tap(sampleHolding('\nok 99 - all good\nBail out!\u001b')).split('\n')
    assert.equal(held.filter((line) => /^(ok 99|Bail out)/.test(line)).length, 0)
    assert.doesNotMatch(held.join(''), /\p{Cc}/u)
  })
})
