import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formats } from './formats.ts'
import { prettySummary } from './pretty.ts'
import type { Report } from './report.ts'
import { sample } from './testing/sample.ts'

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
