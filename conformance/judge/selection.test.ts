import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type JudgeOptions, judge, runConformance } from '../index.ts'
import { recorded } from '../testing/recorded.ts'

/** Breaks AUTH-1 and the rules about requests without a key. */
const served = recorded('read', { 'no-key-list': { status: 200 } })

describe('the selection of rules', () => {
  const selected = (options: JudgeOptions): readonly string[] =>
    judge(served, options).rules.flatMap(({ id, deselected }) => (deselected === 'filter' ? [] : [id]))

  it('accepts ids and families; `skip` overrides `only`', () => {
    assert.deepEqual(selected({ only: ['LIST-1', 'AUTH-1'], skip: ['AUTH-1'] }), ['LIST-1'])
    assert.ok(!selected({ skip: ['AUTH-1'] }).includes('AUTH-1'))
    const ids = selected({ only: ['LIST', 'GET-1'], skip: ['LIST-2'] })
    assert.ok(ids.includes('LIST-20') && ids.every((id) => /^(LIST-(?!2$)|GET-1$)/.test(id)))
  })

  it('rejects bad filters before anything is sent', async () => {
    const fetch = (): never => assert.fail('it was sent')
    const run = { baseUrl: 'https://pets.test/v1', key: 'main-key', fetch }
    for (const name of ['only', 'skip']) {
      const message = `${name} names the unknown rule "LIST-99"`
      await assert.rejects(runConformance({ ...run, [name]: ['LIST-99'] }), new RegExp(message))
    }
  })
})

describe('known failures', () => {
  it('are reported as known until they expire', () => {
    const known = (rule: string, until: string): readonly string[] => {
      const { rules } = judge(served, { knownFailures: [{ rule, reason: 'x', until }] })
      return rules.flatMap(({ id, known }) => (known === undefined ? [] : [id]))
    }
    assert.deepEqual(known('AUTH-1', '2026-11-21'), ['AUTH-1'])
    assert.deepEqual(known('AUTH-1', '2026-11-20T12:00:00Z'), [])
    assert.throws(
      () => known('LIST', '2026-11-21'),
      /^TypeError: knownFailures\[0\]\.rule must be the id of a rule/,
    )
  })
})
