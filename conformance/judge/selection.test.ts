import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exitCode, judge, type KnownFailure, runConformance } from '../index.ts'
import { runProblems } from '../report/outcome.ts'
import { recorded } from '../testing/recorded.ts'

/** Breaks AUTH-1 and the rules about what is served without a key. */
const served = recorded('read', { 'no-key-list': { status: 200 } })

function judged(transcript: typeof served, ...knownFailures: readonly KnownFailure[]) {
  const report = judge(transcript, { knownFailures })
  const known = report.rules.filter((rule) => rule.known !== undefined)
  return { report, known, code: exitCode(report), ids: known.map(({ id }) => id) }
}

describe('the selection of rules', () => {
  it('leaves out rules by id', () => {
    const { rules } = judge(served, { only: ['LIST-1', 'AUTH-1'], skip: ['AUTH-1'] })
    const selected = rules.filter(({ deselected }) => deselected !== 'filter')
    assert.deepEqual(
      selected.map(({ id }) => id),
      ['LIST-1'],
    )
    const { rules: others } = judge(served, { skip: ['AUTH-1'] })
    assert.equal(others.find(({ id }) => id === 'AUTH-1')?.verdict, 'not-run')
  })

  it('names a family by its name', () => {
    const { rules } = judge(served, { only: ['LIST', 'GET-1'], skip: ['LIST-2'] })
    const ids = rules.flatMap(({ id, deselected }) => (deselected === 'filter' ? [] : [id]))
    assert.ok(ids.includes('LIST-20') && ids.every((id) => /^(LIST-(?!2$)|GET-1$)/.test(id)))
  })

  it('a run with bad filters sends nothing', async () => {
    const fetch = (): never => assert.fail('it was sent')
    const run = { baseUrl: 'https://pets.test/v1', key: 'main-key', fetch }
    await assert.rejects(
      runConformance({ ...run, only: ['LIST-99'] }),
      /only names the unknown rule "LIST-99"/,
    )
    await assert.rejects(
      runConformance({ ...run, skip: ['LIST-99'] }),
      /skip names the unknown rule "LIST-99"/,
    )
    await assert.rejects(runConformance({ ...run, now: new Date('soon') }), /now/)
  })
})

describe('known failures', () => {
  it('one that does not fail any more exits with 1', () => {
    const { report, code } = judged(recorded('read'), { rule: 'LIST-1', reason: 'old' })
    assert.deepEqual(
      runProblems(report).map(({ title, message }) => [title, message]),
      [['LIST-1 no longer fails', 'remove LIST-1 from the known failures (its reason there: old)']],
    )
    assert.equal(code, 1)
  })

  it('a known failure is reported as known until it expires', () => {
    const known = (rule: string, until: string) => judged(served, { rule, reason: 'x', until }).ids
    assert.deepEqual(known('AUTH-1', '2026-11-21'), ['AUTH-1'])
    assert.deepEqual(known('AUTH-1', '2026-11-20T12:00:00Z'), [])
    assert.throws(() => known('AUTH-1', 'soon'), /^TypeError: knownFailures\[0\]\.until must be an ISO date/)
  })

  it('a rule that there is not is an invalid option', () => {
    for (const rule of ['NONE', 'LIST', 'LIST-', 'LIST-99', ''])
      assert.throws(
        () => judged(served, { rule, reason: 'x' }),
        /^TypeError: knownFailures\[0\]\.rule must be the id of a rule/,
      )
  })
})
