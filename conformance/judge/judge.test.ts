import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { RuleResult } from '../report/report.ts'
import { catalogue } from '../rules/catalogue.ts'
import type { Profile } from '../steps/profile.ts'
import { buildTranscript, type Script, scriptJson } from '../testing/recorded.ts'
import { judge } from './judge.ts'

const judgeRule = (id: string, script: Script = {}, profile: Profile = 'read'): RuleResult =>
  judge(buildTranscript(profile, script)).rules.find((rule) => rule.id === id) ?? assert.fail(id)

describe('judge', () => {
  it('returns a verdict for every rule', () => {
    const { rules, summary } = judge(buildTranscript('read'))
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

  it('reports the expected and actual response, and a curl command', () => {
    const { expected, got, curl, exchanges } = judgeRule('AUTH-1', { 'no-key-list': scriptJson(200, []) })
    assert.deepEqual([expected, exchanges], ['status 401', ['no-key-list']])
    assert.match(got ?? '', /200/)
    assert.match(curl ?? '', /^curl -i ['"]https:\/\/pets\.test\/v1\/pets['"]$/)
  })

  it('does not judge rules that need another profile', () => {
    const { verdict, deselected, reason } = judgeRule('CREATE-1')
    assert.deepEqual([verdict, deselected], ['not-run', 'profile'])
    assert.match(reason, /create/)
    assert.equal(judgeRule('CREATE-1', {}, 'exhaust').deselected, 'profile')
    assert.equal(judgeRule('RATE-9', {}, 'create').deselected, 'profile')
  })

  it('returns the recorded exchanges', () => {
    const { exchanges } = judge(buildTranscript('read', { 'list-1': { error: 'reset' } }))
    assert.equal(exchanges.find(({ id }) => id === 'list-1')?.error, 'reset')
    assert.equal(exchanges.find(({ id }) => id === 'list')?.response?.status, 200)
  })

  it("reports the package's version", () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    assert.equal(judge(buildTranscript('read')).suite.version, version)
  })

  const listCreatedIds = (script: Script): readonly string[] =>
    judge(buildTranscript('create', script)).created.map(({ id, name }) => `${id} ${name}`)

  it('lists created animals, even from invalid responses', () => {
    const names = listCreatedIds({
      'create-available': { status: 502, body: '' },
      'create-int64': scriptJson(201, { id: 'a-7', name: 5 }),
      'create-unusual-name': { body: '' },
      'create-own-id': scriptJson(201, { id: 'a 7', name: 'Ada' }),
      'refuse-status': scriptJson(201, { id: 7, name: 'Testabcd los', categoryId: 1 }),
      'refuse-nulls': { status: 200, body: '{}' },
    })
    assert.deepEqual(names.slice(0, 3), [
      'a-7 Testabcd big',
      // The name of an animal whose creation returned no body.
      '103 Testabcd ŁΩК猫𠮷ש &<"\'',
      '104 Testabcd esc \\ %41 ',
    ])
    // The third animal has no id and no name.
    for (const name of ['7 Testabcd los', 'unknown none', '101 Testabcd ava']) assert.ok(names.includes(name))
    assert.ok(names.every((name) => name === 'unknown none' || name.includes('Testabcd')))
  })

  it('lists an animal once when its creation is repeated', () => {
    const listIdsIfRepeated = (again: number) =>
      listCreatedIds({
        'method-unknown': scriptJson(201, { id: 900 }),
        'create-available': scriptJson(201, { id: 901 }),
        'create-again': scriptJson(201, { id: again }),
      })
        .map((text) => text.split(' ')[0])
        .filter((id) => id?.startsWith('90'))
    assert.deepEqual(listIdsIfRepeated(902).toSorted(), ['900', '901', '902'])
    assert.deepEqual(listIdsIfRepeated(901).toSorted(), ['900', '901'])
  })
})
