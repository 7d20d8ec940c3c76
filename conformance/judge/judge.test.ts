import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { RuleResult } from '../report/report.ts'
import { catalogue } from '../rules/catalogue.ts'
import type { Profile } from '../steps/profile.ts'
import { json, recorded, type Script } from '../testing/recorded.ts'
import { judge } from './judge.ts'

/** The result of a rule in a report. */
const judged = (id: string, script: Script = {}, profile: Profile = 'read'): RuleResult =>
  judge(recorded(profile, script)).rules.find((rule) => rule.id === id) ?? assert.fail(id)

describe('a report', () => {
  it('has every rule once, and counts them', () => {
    const { rules, summary } = judge(recorded('read'))
    assert.deepEqual(
      rules.map(({ id }) => id),
      catalogue.map(({ id }) => id),
    )
    assert.equal(
      Object.values(summary).reduce((a, b) => a + b, 0),
      rules.length,
    )
    assert.equal(summary.fail, 0)
  })

  it('has both results and a command for a failure', () => {
    const { expected, got, curl, exchanges } = judged('AUTH-1', { 'no-key-list': json(200, []) })
    assert.deepEqual([expected, exchanges], ['status 401', ['no-key-list']])
    assert.match(got ?? '', /200/)
    assert.match(curl ?? '', /^curl -i ['"]https:\/\/pets\.test\/v1\/pets['"]$/)
  })

  it('has not-run, and the profile, for a rule outside of the profile', () => {
    const { verdict, deselected, reason } = judged('CREATE-1')
    assert.deepEqual([verdict, deselected], ['not-run', 'profile'])
    assert.match(reason, /create/)
    assert.equal(judged('CREATE-1', {}, 'exhaust').deselected, 'profile')
    assert.equal(judged('RATE-9', {}, 'create').deselected, 'profile')
  })

  it('has the response or the error of each exchange', () => {
    const { exchanges } = judge(recorded('read', { 'list-1': { error: 'reset' } }))
    assert.equal(exchanges.find(({ id }) => id === 'list-1')?.error, 'reset')
    assert.equal(exchanges.find(({ id }) => id === 'list')?.response?.status, 200)
  })

  it('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    assert.equal(judge(recorded('read')).suite.version, version)
  })

  /** The animals that a run with these responses has created. */
  const created = (script: Script): readonly string[] =>
    judge(recorded('create', script)).created.map(({ id, name }) => `${id} ${name}`)

  it('names every created animal, and none of others', () => {
    const names = created({
      'create-available': { status: 502, body: '' },
      'create-pending': json(201, { id: 'a-7', name: 5 }),
      'create-sold': { body: '' },
      'create-no-status': json(201, { id: 'a 7', name: 'Ada' }),
      'refuse-status': json(201, { id: 7, name: 'Testabcd los', categoryId: 1 }),
      'refuse-nulls': { status: 200, body: '{}' },
    })
    assert.deepEqual(names.slice(0, 3), [
      'a-7 Testabcd pen',
      // their responses have no id that can be read, and a later page has
      '103 Testabcd sol',
      '104 Testabcd non',
    ])
    // from invalid bodies, and from a creation that seemed to fail
    for (const name of ['7 Testabcd los', 'unknown none', '101 Testabcd ava']) assert.ok(names.includes(name))
    assert.ok(names.every((name) => name === 'unknown none' || name.includes('Testabcd')))
  })

  it('names animals of other paths and of repeated POSTs', () => {
    const ids = (again: number) =>
      created({
        'method-unknown': json(201, { id: 900 }),
        'create-no-status': json(201, { id: 901 }),
        'create-again': json(201, { id: again }),
      })
        .map((text) => text.split(' ')[0])
        .filter((id) => id?.startsWith('90'))
    assert.deepEqual(ids(902).toSorted(), ['900', '901', '902'])
    assert.deepEqual(ids(901).toSorted(), ['900', '901'])
  })
})
