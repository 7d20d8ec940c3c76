import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { catalogue, type Report } from '../../index.ts'
import { inOrder, judgeVariant, listIds, selectProfile } from './trial.ts'
import { broken, legal } from './trials.ts'

/** The rules that need a server with connections: `unusual-http.test.ts` has theirs. */
const ofConnections = ['AUTH-17']
const rules = new Map(catalogue.map((rule) => [rule.id, rule]))

describe('the reference deployment', () => {
  it('imports only files of this folder', () => {
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

  it('conforms to every rule that applies', async () => {
    const report = await judgeVariant({ does: 'conforms to every rule' }, 'all')
    assert.deepEqual(listIds(report, 'fail', 'warn', 'inconclusive', 'not-run'), ofConnections)
    assert.deepEqual(listIds(report, 'not-applicable'), ['GET-7', 'GET-8', 'GET-9', 'RATE-8'])
  })
})

describe('the deployments of this folder', () => {
  it('break every rule', () => {
    const withVariant = new Set(broken.map(({ rule }) => rule))
    assert.deepEqual(
      [...rules.keys()].filter((id) => !withVariant.has(id)),
      ofConnections,
    )
  })

  it('have different descriptions', () => {
    const all = [
      ...broken.map(({ rule, does }) => `${rule} ${does}`),
      ...legal.map(({ gap, does }) => `${gap} ${does}`),
    ]
    assert.equal(new Set(all).size, all.length)
  })
})

describe('a broken deployment', () => {
  for (const variant of broken) {
    const { rule, does, alsoBreaks = [] } = variant
    it(`fails ${rule} if it ${does}`, async () => {
      const report = await judgeVariant(variant, selectProfile(variant))
      const verdict = report.rules.find(({ id }) => id === rule)?.verdict
      assert.equal(verdict, rules.get(rule)?.level === 'MUST' ? 'fail' : 'warn')
      assert.deepEqual(listIds(report, 'fail', 'warn'), inOrder([rule, ...alsoBreaks]))
    })
  }
})

/** The MUST rules that a report does not decide. */
function undecidedMusts({ rules }: Report): readonly string[] {
  return rules
    .filter(({ level, verdict }) => level === 'MUST' && /^(inconclusive|not-run)$/.test(verdict))
    .map(({ id }) => id)
}

describe('a legal deployment', () => {
  for (const variant of legal) {
    const { gap, does, warns = [], unproven = [], endsEarly = false } = variant
    it(`fails no rule if it ${does} (${gap})`, async () => {
      const report = await judgeVariant(variant, 'all')
      assert.deepEqual(listIds(report, 'fail'), [])
      assert.deepEqual(listIds(report, 'warn'), warns)
      assert.equal(report.endedEarly !== undefined, endsEarly)
      if (!endsEarly) assert.deepEqual(undecidedMusts(report), unproven)
    })
  }
})
