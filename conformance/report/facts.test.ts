import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { judge } from '../judge/judge.ts'
import { each, headers, keyedIds, otherIds, recorded } from '../testing/recorded.ts'
import { printable } from '../transcript/printable.ts'
import { alike, excerptLines, idsOf } from './facts.ts'
import type { RuleResult } from './report.ts'
import { sampleRule } from './testing/sample.ts'

function groupsOf(script: Parameters<typeof recorded>[1]): readonly string[] {
  const { rules } = judge(recorded('read', script))
  return alike(rules.filter(({ verdict }) => verdict === 'fail')).map(idsOf)
}

const without = (...names: readonly string[]) => ({
  headers: headers(Object.fromEntries(names.map((name) => [`x-ratelimit-${name}`, undefined]))),
})

test('the rules on the three headers are joined if the same responses lack all three', () => {
  assert.deepEqual(groupsOf(each([...keyedIds, ...otherIds], without('limit', 'remaining', 'reset'))), [
    'RATE-1, RATE-2, RATE-3',
  ])
})

test('they are not joined if one of the headers is missing elsewhere', () => {
  const script = { list: without('limit', 'remaining', 'reset'), 'list-1': without('reset') }
  assert.deepEqual(groupsOf(script), ['RATE-1, RATE-2', 'RATE-3'])
})

test('rules of two families, or of two verdicts, are not joined', () => {
  const rule: RuleResult = sampleRule('LIST-10')
  const others: readonly RuleResult[] = [
    { ...rule, id: 'GET-1' },
    { ...rule, id: 'LIST-20', verdict: 'warn' },
    { ...rule, id: 'LIST-8', known: 'since May' },
    { ...rule, id: 'LIST-9', expected: 'another thing' },
  ]
  assert.deepEqual(alike([rule, ...others]).map(idsOf), ['LIST-10, LIST-9', 'GET-1', 'LIST-20', 'LIST-8'])
})

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
