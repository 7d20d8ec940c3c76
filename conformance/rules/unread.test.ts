import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge } from '../judge/judge.ts'
import { allPages, each, found, json, recorded } from '../testing/recorded.ts'

const cut = { body: '', truncated: true } as const
const withheld = { body: '[not stored]', withheld: true } as const

test('leaves a rule undecided that a page too large to read could break', () => {
  for (const rule of ['LIST-3', 'LIST-4', 'LIST-5', 'LIST-9', 'LIST-18']) {
    const { outcome, reason, exchanges } = found(rule, 'read', { 'list-100': cut })
    assert.equal(outcome, 'no-evidence', rule)
    assert.match(reason, /the body of list-100 is larger than the suite reads: 1 MiB/)
    assert.deepEqual(exchanges, ['list-100'])
  }
  assert.equal(found('LIST-13', 'read', { 'list-pending-100': cut }).outcome, 'no-evidence')
  assert.equal(found('LIST-6', 'read', { 'list-100': cut }).outcome, 'holds')
})

test('leaves a rule undecided that an unreadable response could break', () => {
  for (const rule of ['ERR-1', 'ERR-2', 'ERR-3', 'ERR-5']) {
    assert.equal(found(rule, 'read', { 'limit-word': { status: 400, ...cut } }).outcome, 'no-evidence', rule)
  }
  for (const rule of ['CREATE-2', 'CREATE-3']) {
    assert.equal(found(rule, 'create', { 'create-sold': cut }).outcome, 'no-evidence', rule)
  }
})

test('fails a rule that a page breaks if other responses are unreadable', () => {
  const script = { 'list-100': cut, list: json(200, [{ id: 'x' }]) }
  assert.equal(found('LIST-4', 'read', script).outcome, 'broken')
})

test('a body that was dropped because of a key is named with that reason', () => {
  assert.match(found('LIST-3', 'read', { list: withheld }).reason, /the body of list contains a key/)
})

test('without readable bodies no rule fails, and no rule about bodies passes', () => {
  const { rules } = judge(recorded('read', each(allPages, cut)))
  assert.deepEqual(
    rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ id }) => id),
    [],
  )
  const passed = rules.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id)
  assert.ok(!passed.some((id) => /^LIST-(?!1$)/.test(id)), passed.join())
})
