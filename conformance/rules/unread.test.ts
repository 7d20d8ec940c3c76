import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judge } from '../judge/judge.ts'
import { buildTranscript, judgeRule, pageStepIds, scriptEach, scriptJson } from '../testing/recorded.ts'

const truncatedBody = { body: '', truncated: true } as const
const withheldBody = { body: '[not stored]', withheld: true } as const

describe('a body that could not be read', () => {
  it('makes the rules about the requested page inconclusive', () => {
    for (const rule of ['LIST-3', 'LIST-4', 'LIST-5', 'LIST-9', 'LIST-18']) {
      const { outcome, reason, exchanges } = judgeRule(rule, 'read', { 'list-100': truncatedBody })
      assert.equal(outcome, 'no-evidence', rule)
      assert.match(reason, /the body of list-100 exceeds the limit of 1 MiB/)
      assert.deepEqual(exchanges, ['list-100'])
    }
    assert.equal(judgeRule('LIST-13', 'read', { 'list-pending-100': truncatedBody }).outcome, 'no-evidence')
    assert.equal(judgeRule('LIST-6', 'read', { 'list-100': truncatedBody }).outcome, 'holds')
  })

  it('makes the rules about the expected Error or Pet inconclusive', () => {
    for (const rule of ['ERR-1', 'ERR-2', 'ERR-3', 'ERR-5']) {
      assert.equal(
        judgeRule(rule, 'read', { 'limit-word': { status: 400, ...truncatedBody } }).outcome,
        'no-evidence',
        rule,
      )
    }
    for (const rule of ['CREATE-2', 'CREATE-3']) {
      assert.equal(judgeRule(rule, 'create', { 'create-sold': truncatedBody }).outcome, 'no-evidence', rule)
    }
  })

  it('does not hide a fault in the body of another response', () => {
    const truncatedScript = { 'list-100': truncatedBody, list: scriptJson(200, [{ id: 'x' }]) }
    assert.equal(judgeRule('LIST-4', 'read', truncatedScript).outcome, 'broken')
  })

  it('is reported as not stored if it contains a key', () => {
    assert.match(
      judgeRule('LIST-3', 'read', { list: withheldBody }).reason,
      /the body of list contains a key/,
    )
  })

  it('never makes a rule pass or fail', () => {
    const { rules } = judge(buildTranscript('read', scriptEach(pageStepIds, truncatedBody)))
    assert.deepEqual(
      rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ id }) => id),
      [],
    )
    const passedIds = rules.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id)
    assert.ok(!passedIds.some((id) => /^LIST-(?!1$)/.test(id)), passedIds.join())
  })
})

describe('a body with a byte order mark', () => {
  it('is reported with the reason why it is not JSON', () => {
    const bodyWithMark = { body: '\ufeff[]' }
    for (const [id, exchange] of [
      ['LIST-3', 'list'],
      ['GET-1', 'get-listed'],
      ['ERR-1', 'no-key-list'],
      ['CREATE-2', 'create-available'],
    ] as const)
      assert.match(
        judgeRule(id, 'create', { [exchange]: bodyWithMark }).got ?? '',
        /begins with a byte order mark$/,
        id,
      )
  })
})
