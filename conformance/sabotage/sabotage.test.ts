import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogue } from '../index.ts'
import { broken } from './broken.ts'
import { idsOf, inOrder, tryOut } from './trial.ts'

const levels = new Map(catalogue.map(({ id, level }) => [id, level]))
const verdictOf = (rule: string): string => (levels.get(rule) === 'MUST' ? 'fail' : 'warn')

test('the reference deployment keeps every rule', async () => {
  const report = await tryOut({ does: 'keeps every rule', change: {} }, 'all')
  assert.deepEqual(idsOf(report, 'fail', 'warn', 'inconclusive', 'not-run'), [])
  assert.deepEqual(idsOf(report, 'not-applicable'), ['GET-7', 'GET-8', 'GET-9', 'RATE-8'])
})

test('every rule has a deployment that breaks it', () => {
  const breaking = new Set(broken.map(({ rule }) => rule))
  assert.deepEqual(
    [...levels.keys()].filter((id) => !breaking.has(id)),
    [],
  )
})

for (const variant of broken) {
  const { rule, does, mayTouch = [], profile = 'create' } = variant
  test(`${rule}: a deployment that ${does}`, async () => {
    const report = await tryOut(variant, profile)
    assert.equal(report.rules.find(({ id }) => id === rule)?.verdict, verdictOf(rule))
    assert.deepEqual(idsOf(report, 'fail', 'warn'), inOrder([rule, ...mayTouch]))
  })
}
