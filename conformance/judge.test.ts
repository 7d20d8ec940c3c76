import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { judge } from './judge.ts'
import type { RuleResult } from './report/report.ts'
import { catalogue } from './rules/catalogue.ts'
import { runConformance } from './run.ts'
import { error, json, recorded, type Script } from './testing/recorded.ts'

const broken: Script = { 'no-key-list': json(200, []) }
const failing = { rule: 'AUTH-1', reason: 'the gateway lets everyone in' }

const find = (rules: readonly RuleResult[], id: string): RuleResult => {
  const rule = rules.find((candidate) => candidate.id === id)
  assert.ok(rule !== undefined)
  return rule
}

test('a report has every rule once, and counts them', () => {
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

test('a MUST that is broken fails, a SHOULD or a practice of HTTP warns', () => {
  const rules = judge(
    recorded('read', { 'no-key-list': { headers: [], status: 200 }, 'get-word': error(500) }),
  ).rules
  assert.equal(find(rules, 'AUTH-1').verdict, 'fail')
  assert.equal(find(rules, 'GET-5').verdict, 'warn')
  assert.equal(
    find(judge(recorded('read', { 'no-key-list': { headers: [] } })).rules, 'AUTH-10').verdict,
    'warn',
  )
})

test('a failure has the expected and the received value, and the command that repeats the request', () => {
  const { expected, got, curl, exchanges } = find(judge(recorded('read', broken)).rules, 'AUTH-1')
  assert.equal(expected, 'status 401')
  assert.match(got ?? '', /200/)
  assert.deepEqual(exchanges, ['no-key-list'])
  assert.equal(curl, "curl -i 'https://pets.test/v1/pets'")
})

test('a rule of another profile is not run, and its reason names that profile', () => {
  const rule = find(judge(recorded('read')).rules, 'CREATE-1')
  assert.deepEqual([rule.verdict, rule.deselected], ['not-run', 'profile'])
  assert.match(rule.reason, /create/)
  assert.equal(find(judge(recorded('exhaust')).rules, 'CREATE-1').deselected, 'profile')
  assert.equal(find(judge(recorded('create')).rules, 'RATE-9').deselected, 'profile')
})

test('filters leave rules out', () => {
  const run = recorded('read', broken)
  assert.deepEqual(
    judge(run, { only: ['LIST-1', 'AUTH-1'], skip: ['AUTH-1'] }).rules.flatMap(({ id, deselected }) =>
      deselected === 'filter' ? [] : [id],
    ),
    ['LIST-1'],
  )
  assert.equal(find(judge(run, { skip: ['AUTH-1'] }).rules, 'AUTH-1').verdict, 'not-run')
})

test('an id that no rule has is rejected, wherever it stands', () => {
  for (const options of [
    { only: ['LIST-99'] },
    { skip: ['LIST-99'] },
    { knownFailures: [{ rule: 'LIST-99', reason: '' }] },
  ]) {
    assert.throws(() => judge(recorded('read'), options), /names the unknown rule LIST-99/)
  }
})

test('a known failure is marked as known until it expires', () => {
  const known = (until?: string) =>
    find(
      judge(recorded('read', broken), { knownFailures: [{ ...failing, ...(until && { until }) }] }).rules,
      'AUTH-1',
    ).known
  assert.equal(known(), failing.reason)
  assert.equal(known('2026-11-21'), failing.reason)
  assert.equal(known('2026-11-20T12:00:00Z'), undefined)
})

test('a known failure with an until that is no date is rejected', () => {
  const knownFailures = [{ ...failing, until: 'soon' }]
  assert.throws(
    () => judge(recorded('read'), { knownFailures }),
    /the until of AUTH-1 in knownFailures must be a valid date/,
  )
})

test('a run with bad filters sends nothing', async () => {
  const fetch = (): never => assert.fail('it was sent')
  const run = { baseUrl: 'https://pets.test/v1', key: 'main-key', fetch }
  await assert.rejects(runConformance({ ...run, only: ['LIST-99'] }), /only names the unknown rule LIST-99/)
  await assert.rejects(runConformance({ ...run, now: new Date('soon') }), /now/)
})

test('the suite’s clock and the plan can be given anew', () => {
  const { rules } = judge(recorded('read'), { now: new Date('2030-12-08'), plan: 'pro' })
  assert.equal(find(rules, 'GET-1').verdict, 'not-applicable')
  assert.equal(find(rules, 'RATE-8').verdict, 'fail')
})

test('everything that was created is named, accepted though it should not have been or not readable', () => {
  const report = judge(
    recorded('create', {
      'create-sold': { body: '' },
      'refuse-status': json(201, { id: 7, name: 'Trial abcdef lost', categoryId: 1 }),
      'refuse-nulls': { status: 200, body: '{}' },
    }),
  )
  assert.equal(report.creates, report.created.length)
  const names = report.created.map(({ id, name }) => `${id} ${name}`)
  assert.ok(names.includes('101 Trial abcdef available'))
  assert.ok(names.includes('unknown Trial abcdef sold'))
  assert.ok(names.includes('7 Trial abcdef lost'))
  assert.ok(names.includes('unknown none'))
})

test('an exchange is reported with its response, or with why there is none', () => {
  const { exchanges } = judge(recorded('read', { 'list-1': { error: 'reset' } }))
  assert.equal(exchanges.find(({ id }) => id === 'list-1')?.error, 'reset')
  assert.equal(exchanges.find(({ id }) => id === 'list')?.response?.status, 200)
})

test('a run with a rejected key does not count as successful', () => {
  assert.match(judge(recorded('read', { list: error(403) })).endedEarly ?? '', /rejected \(403\)/)
})

test('the suite has the version of the package', () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  assert.equal(judge(recorded('read')).suite.version, version)
})
