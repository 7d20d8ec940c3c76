import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { printable } from '../transcript/printable.ts'
import { excerptLines } from './facts.ts'

test('the carets are below the marked part', () => {
  assert.deepEqual(excerptLines({ before: '{"id":', marked: '"7"', after: '}' }, 80), [
    '{"id":"7"}',
    '      ^^^',
  ])
})

test('an excerpt without a mark is one line', () => {
  assert.deepEqual(excerptLines({ before: '##', marked: '', after: '[error]' }, 80), ['#\\u0023[error]'])
  assert.deepEqual(excerptLines({ before: '', marked: '', after: '[]' }, 80), ['[]'])
})

test('escapes count as the characters that they show', () => {
  assert.deepEqual(excerptLines({ before: '', marked: '\ufeff', after: '[\n]' }, 80), [
    '\\ufeff[\\n]',
    '^^^^^^',
  ])
})

test('text around the mark is left out where the line is too long', () => {
  const lines = excerptLines({ before: 'b'.repeat(100), marked: 'mark', after: 'a'.repeat(100) }, 40)
  assert.deepEqual(lines, ['…bbbbbbbbbbbbbbbbbmarkaaaaaaaaaaaaaaaaa…', `${' '.repeat(18)}^^^^`])
})

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
