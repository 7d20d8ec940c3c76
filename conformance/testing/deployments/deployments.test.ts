import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { catalogue, type Report } from '../../index.ts'
import { judgeVariant, listIds, selectProfile, sortIds } from './trial.ts'
import { brokenDeployments, legalDeployments } from './trials.ts'

/** Rules about connections, which requests in the same process cannot decide. */
const connectionRules = ['AUTH-17']
const rulesById = new Map(catalogue.map((rule) => [rule.id, rule]))

describe('the reference deployment', () => {
  it('imports nothing from outside its folder', () => {
    const seenFiles = new Set<string>()
    const visitFile = (file: URL): void => {
      if (seenFiles.has(file.href)) return
      seenFiles.add(file.href)
      const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export)[^']*from '([^']+)'/gm)
      for (const [, name = ''] of imports) visitFile(new URL(name, file))
    }
    visitFile(new URL('deployment.ts', import.meta.url))
    assert.ok(seenFiles.size > 3)
    const folderUrl = new URL('.', import.meta.url).href
    assert.deepEqual(
      [...seenFiles].filter((href) => !href.startsWith(folderUrl)),
      [],
    )
  })

  it('passes every rule that applies', async () => {
    const report = await judgeVariant({ does: 'conforms to every rule' }, 'all')
    assert.deepEqual(listIds(report, 'fail', 'warn', 'inconclusive', 'not-run'), connectionRules)
    assert.deepEqual(listIds(report, 'not-applicable'), ['GET-7', 'GET-8', 'GET-9', 'RATE-8'])
  })
})

describe('the test deployments', () => {
  it('include a broken deployment for every rule', () => {
    const testedRules = new Set(brokenDeployments.map(({ rule }) => rule))
    assert.deepEqual(
      [...rulesById.keys()].filter((id) => !testedRules.has(id)),
      connectionRules,
    )
  })

  it('have unique names', () => {
    const deploymentNames = [
      ...brokenDeployments.map(({ rule, does }) => `${rule} ${does}`),
      ...legalDeployments.map(({ gap, does }) => `${gap} ${does}`),
    ]
    assert.equal(new Set(deploymentNames).size, deploymentNames.length)
  })
})

describe('a broken deployment', () => {
  for (const variant of brokenDeployments) {
    const { rule, does, alsoBreaks = [] } = variant
    it(`fails ${rule} if it ${does}`, async () => {
      const report = await judgeVariant(variant, selectProfile(variant))
      const verdict = report.rules.find(({ id }) => id === rule)?.verdict
      assert.equal(verdict, rulesById.get(rule)?.level === 'MUST' ? 'fail' : 'warn')
      assert.deepEqual(listIds(report, 'fail', 'warn'), sortIds([rule, ...alsoBreaks]))
    })
  }
})

function listUndecidedMusts({ rules }: Report): readonly string[] {
  return rules
    .filter(({ level, verdict }) => level === 'MUST' && /^(inconclusive|not-run)$/.test(verdict))
    .map(({ id }) => id)
}

describe('a legal deployment', () => {
  for (const variant of legalDeployments) {
    const { gap, does, warns = [], unproven = [], endsEarly = false } = variant
    it(`passes if it ${does} (${gap})`, async () => {
      const report = await judgeVariant(variant, 'all')
      assert.deepEqual(listIds(report, 'fail'), [])
      assert.deepEqual(listIds(report, 'warn'), warns)
      assert.equal(report.endedEarly !== undefined, endsEarly)
      if (!endsEarly) assert.deepEqual(listUndecidedMusts(report), unproven)
    })
  }
})
