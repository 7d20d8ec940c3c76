import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recorded } from '../testing/recorded.ts'
import { catalogue } from './catalogue.ts'

test('every rule has a unique title, and a section of the spec', () => {
  const titles = catalogue.map(({ title }) => title)
  assert.equal(new Set(titles).size, catalogue.length)
  for (const { section } of catalogue) assert.match(section, /^[1-9](\.[1-4])?$/)
})

test('every rule holds on a conforming deployment, or is not applicable', () => {
  const transcript = recorded('all')
  const other = catalogue.filter((rule) => rule.judge(transcript).outcome !== 'holds').map(({ id }) => id)
  assert.deepEqual(other, ['GET-7', 'GET-8', 'GET-9', 'RATE-8'])
})

test('no rule passes on a transcript without exchanges', () => {
  const outcomes = catalogue.map((rule) => rule.judge(recorded('all', {}, { exchanges: [] })).outcome)
  assert.ok(outcomes.every((outcome) => outcome === 'no-evidence' || outcome === 'not-applicable'))
})

test('rules without evidence are not-run when the run ended early', () => {
  const transcript = recorded('all', {}, { exchanges: [], endedEarly: 'a 429' })
  const open = catalogue.filter((rule) => rule.judge(transcript).outcome !== 'not-run').map(({ id }) => id)
  assert.deepEqual(open, ['GET-7', 'RATE-7', 'RATE-8'])
})

test('every finding names exchanges of the transcript, each once', () => {
  const transcript = recorded('all')
  const ids = new Set(transcript.exchanges.map(({ id }) => id))
  for (const rule of catalogue) {
    const { exchanges } = rule.judge(transcript)
    assert.ok(exchanges.every((id) => ids.has(id)))
    assert.equal(new Set(exchanges).size, exchanges.length, rule.id)
  }
})
