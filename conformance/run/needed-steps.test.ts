import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { plan } from '../index.ts'
import { catalogue } from '../rules/catalogue.ts'
import { profileOf, verdictAlone } from '../sabotage/trial.ts'
import { broken } from '../sabotage/trials.ts'
import { phasesOf } from '../steps/phases.ts'
import type { Profile } from '../steps/profile.ts'
import { judgedRules, neededPhases } from './needed-steps.ts'

const key = 'a-key'
const baseUrl = 'https://pets.test/v1'

/** The ids of the steps that a run with `only` has. */
function stepsFor(profile: Profile, ...only: readonly string[]): readonly string[] {
  const { first, burn, last } = neededPhases(phasesOf(profile), { only })
  return [...first.map(({ id }) => id), ...(burn ? ['burn'] : []), ...last.map(({ id }) => id)]
}

describe('the steps that chosen rules need', () => {
  it('a rule about one request sends that one, and what it depends on', () => {
    assert.deepEqual(stepsFor('read', 'AUTH-1'), ['no-key-list'])
    assert.deepEqual(stepsFor('read', 'AUTH-2'), ['list', 'list-100', 'no-key-get', 'no-key-get-unknown'])
    assert.deepEqual(stepsFor('exhaust', 'GET-5'), ['list', 'list-100', 'get-partial-id', 'get-word'])
    assert.deepEqual(stepsFor('all', 'RATE-9'), ['burn'])
    assert.equal(stepsFor('read', 'LIST-1').length, 6)
  })

  it('a rule about an animal of the run sends the bodies that create it', () => {
    const steps = stepsFor('create', 'CREATE-7')
    assert.ok(steps.includes('create-available') && steps.includes('get-created'))
    assert.ok(!steps.includes('refuse-status') && !steps.includes('limit-0'))
  })

  it('rules that are chosen together send what each of them needs', () => {
    assert.deepEqual(stepsFor('read', 'AUTH-1', 'GET-5'), [
      'list',
      'list-100',
      'get-partial-id',
      'get-word',
      'no-key-list',
    ])
  })

  it('a rule about every response, and no choice, send everything', () => {
    const all = phasesOf('all')
    for (const options of [{}, { only: ['RATE-1'] }, { only: ['AUTH-1', 'ERR-1'] }, { skip: ['LIST-1'] }])
      assert.deepEqual(neededPhases(all, options), all)
  })

  it('a rule that is chosen and skipped needs nothing', () => {
    const phases = neededPhases(phasesOf('read'), { only: ['RATE-1', 'AUTH-1'], skip: ['RATE-1'] })
    assert.deepEqual(
      phases.last.map(({ id }) => id),
      ['no-key-list'],
    )
  })

  it('steps name rules that exist', () => {
    const rules = new Set(catalogue.map(({ id }) => id))
    assert.ok(judgedRules.size > 30)
    assert.deepEqual(
      [...judgedRules].filter((id) => !rules.has(id)),
      [],
    )
  })

  it('the plan of a run has those requests and their cost', () => {
    const { requests, creations, exchanges } = plan({ baseUrl, key, only: ['AUTH-1'], profile: 'create' })
    assert.deepEqual([requests, creations.most, exchanges.length], [1, 0, 1])
  })
})

for (const variant of broken.filter(({ rule }) => judgedRules.has(rule))) {
  const { rule, does } = variant
  const isMust = catalogue.find(({ id }) => id === rule)?.level === 'MUST'
  test(`${rule} fails with what it needs alone on a deployment that ${does}`, async () => {
    assert.equal(await verdictAlone(rule, variant, profileOf(variant)), isMust ? 'fail' : 'warn')
  })
}
