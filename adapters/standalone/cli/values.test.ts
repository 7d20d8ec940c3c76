import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseText } from './values.ts'

const readLabel = (value: string) => parseText({ value, source: '--label' })

describe('a label', () => {
  for (const [what, label] of Object.entries({
    'a joined emoji': 'Guide dogs 🐕‍🦺',
    'a word with a non-joiner': 'می\u200cخواهم',
    '200 characters of two code units each': '🐕'.repeat(200),
  }))
    it(`may be ${what}`, () => assert.equal(readLabel(label), label))

  for (const [what, label] of Object.entries({
    '201 characters': 'x'.repeat(201),
    'a line feed': 'a\nb',
    'an escape': '\u001b[2J',
    'a change of direction': 'a\u202eb',
    'a lone surrogate': '\ud83d',
  }))
    it(`must not have ${what}`, () =>
      assert.throws(() => readLabel(label), {
        name: 'UsageError',
        message: '--label must be at most 200 characters long, without control characters',
      }))
})
