import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge } from '../judge/judge.ts'
import { recorded } from '../testing/recorded.ts'
import { mostQuoted, mostShown } from '../transcript/bounds.ts'
import { formats, json } from './formats.ts'
import { prettySummary } from './pretty.ts'
import type { Report } from './report.ts'
import { sample, sampleHolding } from './testing/sample.ts'

/** Lines that GitHub Actions executes: `::name`, also after white space. The GitHub format writes three of these. */
const commands = /^\s*::(?!(?:error|warning|notice) title=)/m
const texts = [
  '::add-mask::x',
  'x\n::stop-commands::y',
  '  ::debug::z',
  'word ::set-env name=a::b ::echo::on',
]

for (const [name, format] of Object.entries(formats)) {
  test(`in the format ${name} no text of a deployment is a command at the start of a line`, () => {
    for (const text of texts) {
      for (const columns of [20, 40, 80]) {
        const report = sampleHolding(text)
        assert.doesNotMatch(format(report, { color: false, columns }), commands)
        assert.doesNotMatch(prettySummary(report, { color: false, columns }), commands)
        assert.doesNotMatch(format(report, { color: false }), /##\w*\[/)
      }
    }
  })

  test(`in the format ${name} the report of a run with bodies of 1 MiB has a few megabytes`, () => {
    const body = '<&>"\''.repeat(200_000)
    const ids = [
      'list',
      'list-100',
      'list-sold',
      'get-listed',
      'create-sold',
      'limit-word',
      'burn-4',
      'no-key-list',
    ]
    const huge = { body, headers: [['content-type', body.slice(0, 60_000)]] as const }
    const report = judge(recorded('all', Object.fromEntries(ids.map((id) => [id, huge]))))
    assert.ok(report.exchanges.every(({ response }) => (response?.body.length ?? 0) <= mostShown))
    assert.ok(report.rules.every(({ reason }) => reason.length <= mostQuoted))
    assert.ok(format(report, { color: false }).length < 8 * 6 * (mostShown + 60_000))
  })
}

test('a JSON report is the report and a line feed', () => {
  assert.deepEqual(JSON.parse(json(sample)), sample)
  assert.ok(json(sample).endsWith('}\n'))
})

test('a JSON report encodes hostile text exactly, without control characters', () => {
  const hostile = '\u001b[2J\u009b31m\u202e\ud800\n::error::x'
  const text = json(sampleHolding(hostile))
  assert.deepEqual(JSON.parse(text), sampleHolding(hostile))
  assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Cf}\p{Cs}]/u)
  assert.doesNotMatch(text, /^\s*::/m)
})

const report: Report = {
  ...sample,
  notes: [
    { kind: 'connection', message: 'one left its connection\u0007 unusable', exchanges: ['one', 'two'] },
  ],
}

for (const [name, format] of Object.entries(formats)) {
  test(`the format ${name} has the notes on the run`, () => {
    assert.match(format(report, { color: false }), /one left its connection.* unusable/)
    assert.ok(!format(report, { color: false }).includes('\u0007'))
  })
}

test('the summary of the terminal has the notes on the run', () => {
  assert.match(prettySummary(report, { color: false }), /^Note: one left its connection/m)
})
