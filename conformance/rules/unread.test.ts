import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judge } from '../judge/judge.ts'
import { allPages, each, found, json, recorded } from '../testing/recorded.ts'

const cut = { body: '', truncated: true } as const
const withheld = { body: '[not stored]', withheld: true } as const

describe('a body that was not read', () => {
  it('leaves a rule undecided that a large page could break', () => {
    for (const rule of ['LIST-3', 'LIST-4', 'LIST-5', 'LIST-9', 'LIST-18']) {
      const { outcome, reason, exchanges } = found(rule, 'read', { 'list-100': cut })
      assert.equal(outcome, 'no-evidence', rule)
      assert.match(reason, /the body of list-100 is larger than the suite reads: 1 MiB/)
      assert.deepEqual(exchanges, ['list-100'])
    }
    assert.equal(found('LIST-13', 'read', { 'list-pending-100': cut }).outcome, 'no-evidence')
    assert.equal(found('LIST-6', 'read', { 'list-100': cut }).outcome, 'holds')
  })

  it('leaves a rule undecided that the response could break', () => {
    for (const rule of ['ERR-1', 'ERR-2', 'ERR-3', 'ERR-5']) {
      assert.equal(
        found(rule, 'read', { 'limit-word': { status: 400, ...cut } }).outcome,
        'no-evidence',
        rule,
      )
    }
    for (const rule of ['CREATE-2', 'CREATE-3']) {
      assert.equal(found(rule, 'create', { 'create-sold': cut }).outcome, 'no-evidence', rule)
    }
  })

  it('does not prevent the failure of a rule that another page breaks', () => {
    const script = { 'list-100': cut, list: json(200, [{ id: 'x' }]) }
    assert.equal(found('LIST-4', 'read', script).outcome, 'broken')
  })

  it('is named, with the reason that it contains a key', () => {
    assert.match(found('LIST-3', 'read', { list: withheld }).reason, /the body of list contains a key/)
  })

  it('makes no rule fail, and no rule about bodies pass', () => {
    const { rules } = judge(recorded('read', each(allPages, cut)))
    assert.deepEqual(
      rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ id }) => id),
      [],
    )
    const passed = rules.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id)
    assert.ok(!passed.some((id) => /^LIST-(?!1$)/.test(id)), passed.join())
  })
})
