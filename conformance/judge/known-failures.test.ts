import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exitCode, judge, type KnownFailure } from '../index.ts'
import { runProblems } from '../report/outcome.ts'
import { recorded } from '../testing/recorded.ts'

/** Breaks AUTH-1 and the rules about what is served without a key. */
const served = recorded('read', { 'no-key-list': { status: 200 } })

function judged(transcript: typeof served, ...knownFailures: readonly KnownFailure[]) {
  const report = judge(transcript, { knownFailures })
  const known = report.rules.filter((rule) => rule.known !== undefined)
  return { report, known, code: exitCode(report), ids: known.map(({ id }) => id) }
}

describe('known failures', () => {
  it('a family covers its rules that are broken, and those alone', () => {
    const broken = judge(served).rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    const family = broken.filter(({ id }) => id.startsWith('AUTH-')).map(({ id }) => id)
    const { ids, known } = judged(served, { rule: 'AUTH', reason: 'no gateway yet' })
    assert.ok(family.length > 0)
    assert.deepEqual(ids, family)
    assert.ok(known.every(({ known, knownAs }) => known === 'no gateway yet' && knownAs === 'AUTH'))
  })

  it('a family of which nothing is broken no longer fails', () => {
    const { report, code } = judged(recorded('read'), { rule: 'LIST', reason: 'old' })
    assert.deepEqual(
      runProblems(report).map(({ title, message }) => [title, message]),
      [['LIST no longer fails', 'remove LIST from the known failures (its reason there: old)']],
    )
    assert.equal(code, 1)
  })

  it('an entry for the rule counts before that of its family', () => {
    const entries = [
      { rule: 'AUTH', reason: 'the family' },
      { rule: 'AUTH-1', reason: 'the rule' },
    ]
    const reasons = new Map(judged(served, ...entries).known.map(({ id, known }) => [id, known]))
    assert.equal(reasons.get('AUTH-1'), 'the rule')
    assert.ok([...reasons].every(([id, reason]) => id === 'AUTH-1' || reason === 'the family'))
  })

  it('a family counts again after its date', () => {
    const family = { rule: 'AUTH', reason: 'x', until: '2026-01-01' }
    assert.deepEqual(judged(served, family).ids, [])
  })

  it('a family that no rule has is an invalid option', () => {
    for (const rule of ['NONE', 'LIS', 'LIST-', 'LIST-99', ''])
      assert.throws(
        () => judged(served, { rule, reason: 'x' }),
        new TypeError(`knownFailures names the unknown rule ${rule}`),
      )
  })
})
