import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { RuleResult } from '../report/report.ts'
import { catalogue } from '../rules/catalogue.ts'
import type { JudgeOptions } from '../run/options.ts'
import type { Profile } from '../steps/profile.ts'
import { error, json, recorded, type Script } from '../testing/recorded.ts'
import { judge } from './judge.ts'

/** What a report says of a rule. */
const judged = (
  id: string,
  script: Script = {},
  profile: Profile = 'read',
  options?: JudgeOptions,
): RuleResult =>
  judge(recorded(profile, script), options).rules.find((rule) => rule.id === id) ?? assert.fail(id)

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
  assert.equal(judged('AUTH-1', { 'no-key-list': { headers: [], status: 200 } }).verdict, 'fail')
  assert.equal(judged('GET-5', { 'get-word': error(500) }).verdict, 'warn')
  assert.equal(judged('AUTH-10', { 'no-key-list': { headers: [] } }).verdict, 'warn')
})

test('a failure has what was expected, what was received, and a command that reproduces it', () => {
  const { expected, got, curl, exchanges } = judged('AUTH-1', { 'no-key-list': json(200, []) })
  assert.deepEqual([expected, exchanges], ['status 401', ['no-key-list']])
  assert.match(got ?? '', /200/)
  assert.match(curl ?? '', /^curl -i ['"]https:\/\/pets\.test\/v1\/pets['"]$/)
})

test('a rule outside the profile is not-run, and names its profile', () => {
  const { verdict, deselected, reason } = judged('CREATE-1')
  assert.deepEqual([verdict, deselected], ['not-run', 'profile'])
  assert.match(reason, /create/)
  assert.equal(judged('CREATE-1', {}, 'exhaust').deselected, 'profile')
  assert.equal(judged('RATE-9', {}, 'create').deselected, 'profile')
})

test('a transcript can be judged by another clock and another plan', () => {
  const options = { now: new Date('2030-12-08'), plan: 'pro' } as const
  assert.equal(judged('GET-1', {}, 'read', options).verdict, 'not-applicable')
  assert.equal(judged('RATE-8', {}, 'read', options).verdict, 'fail')
})

test('a report names every created animal, also those of invalid bodies and unreadable responses', () => {
  const report = judge(
    recorded('create', {
      'create-sold': { body: '' },
      'refuse-status': json(201, { id: 7, name: 'Testabcd los', categoryId: 1 }),
      'refuse-nulls': { status: 200, body: '{}' },
    }),
  )
  assert.equal(report.creates, report.created.length)
  const names = report.created.map(({ id, name }) => `${id} ${name}`)
  assert.ok(names.includes('101 Testabcd ava'))
  assert.ok(names.includes('unknown Testabcd sol'))
  assert.ok(names.includes('7 Testabcd los'))
  assert.ok(names.includes('unknown none'))
})

test('an exchange is reported with its response or its error', () => {
  const { exchanges } = judge(recorded('read', { 'list-1': { error: 'reset' } }))
  assert.equal(exchanges.find(({ id }) => id === 'list-1')?.error, 'reset')
  assert.equal(exchanges.find(({ id }) => id === 'list')?.response?.status, 200)
})

test('a run with a rejected key is not a success', () => {
  assert.match(judge(recorded('read', { list: error(403) })).endedEarly ?? '', /rejected \(403\)/)
})

test('the suite has the version of the package', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  assert.equal(judge(recorded('read')).suite.version, version)
})

test('the list of created animals has the id of every success whose body has one, also of one that is no Pet', () => {
  const ids = judge(
    recorded('create', {
      'create-available': json(201, { id: 7, name: null }),
      'create-pending': json(201, { id: 'a-7', name: 5 }),
      'create-sold': json(201, { id: 'a 7' }),
      'create-no-status': json(201, { name: 'Ada' }),
    }),
  ).created.map(({ id }) => id)
  assert.deepEqual(ids.slice(0, 4), ['7', 'a-7', 'unknown', 'unknown'])
})

test('the list of created animals has that of a POST to another path, and of a repetition unless it returns the same', () => {
  const created = (again: number) =>
    judge(
      recorded('create', {
        'method-unknown': json(201, { id: 900 }),
        'create-once': json(201, { id: 901 }),
        'create-once-again': json(201, { id: again }),
      }),
    ).created.flatMap(({ id }) => (id.startsWith('90') ? [id] : []))
  assert.deepEqual(created(902).toSorted(), ['900', '901', '902'])
  assert.deepEqual(created(901).toSorted(), ['900', '901'])
})
