import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sample, sampleHolding } from '../testing/sample.ts'
import { json } from './json.ts'

describe('json', () => {
  it('a JSON report is the report and a line feed', () => {
    assert.deepEqual(JSON.parse(json(sample)), sample)
    assert.ok(json(sample).endsWith('}\n'))
  })

  it('a JSON report encodes hostile text exactly, without control characters', () => {
    const hostile = '\u001b[2J\u009b31m\u202e\ud800\n::error::x'
    const text = json(sampleHolding(hostile))
    assert.deepEqual(JSON.parse(text), sampleHolding(hostile))
    assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Cf}\p{Cs}]/u)
    assert.doesNotMatch(text, /^\s*::/m)
  })
})
