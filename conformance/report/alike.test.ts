import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge } from '../judge/judge.ts'
import { each, headers, keyedIds, otherIds, recorded } from '../testing/recorded.ts'
import { alike, idsOf } from './facts.ts'
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
