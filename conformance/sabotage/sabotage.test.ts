import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { catalogue } from '../index.ts'
import { broken } from './broken.ts'
import { idsOf, inOrder, judgeVariant, profileOf, verdictOf } from './trial.ts'

const rules = new Map(catalogue.map((rule) => [rule.id, rule]))

test('the reference deployment imports only files of this folder', () => {
  const seen = new Set<string>()
  const visit = (file: URL): void => {
    if (seen.has(file.href)) return
    seen.add(file.href)
    const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export)[^']*from '([^']+)'/gm)
    for (const [, name = ''] of imports) visit(new URL(name, file))
  }
  visit(new URL('deployment.ts', import.meta.url))
  assert.ok(seen.size > 3)
  const here = new URL('.', import.meta.url).href
  assert.deepEqual(
    [...seen].filter((href) => !href.startsWith(here)),
    [],
  )
})

test('the reference deployment conforms to every rule that applies', async () => {
  const report = await judgeVariant({ does: 'conforms to every rule' }, 'all')
  assert.deepEqual(idsOf(report, 'fail', 'warn', 'inconclusive', 'not-run'), [])
  assert.deepEqual(idsOf(report, 'not-applicable'), ['GET-7', 'GET-8', 'GET-9', 'RATE-8'])
})

test('every rule has a deployment that breaks it', () => {
  const withVariant = new Set(broken.map(({ rule }) => rule))
  assert.deepEqual(
    [...rules.keys()].filter((id) => !withVariant.has(id)),
    [],
  )
})

for (const variant of broken) {
  const { rule, does, alsoBreaks = [] } = variant
  test(`${rule} fails on a deployment that ${does}`, async () => {
    const report = await judgeVariant(variant, profileOf(variant))
    const verdict = verdictOf(report, rule)
    assert.equal(verdict, rules.get(rule)?.level === 'MUST' ? 'fail' : 'warn')
    assert.deepEqual(idsOf(report, 'fail', 'warn'), inOrder([rule, ...alsoBreaks]))
  })
}
