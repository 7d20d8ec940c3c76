import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { integer, isoTime, oneOf, ruleIds } from './values.ts'

const rules = ['LIST-1', 'LIST-10', 'AUTH-1', 'AUTH-2']

describe('values of flags', () => {
  it('a value may be an integer of any size', () => {
    assert.equal(integer('category-id', '9007199254740993'), 9007199254740993n)
    assert.equal(integer('category-id', '-7'), -7n)
    for (const text of ['7.0', '', '0x7', '7 ', 'cats']) {
      assert.throws(() => integer('category-id', text), /^UsageError: --category-id must be a whole number/)
    }
  })

  it('a value may be one of a few words', () => {
    assert.equal(oneOf('plan', 'pro', ['free', 'pro']), 'pro')
    assert.throws(
      () => oneOf('plan', 'gold', ['free', 'pro']),
      /^UsageError: --plan must be one of free, pro$/,
    )
  })

  it('a value may be an ISO date, or a time with its zone', () => {
    assert.equal(isoTime('2030-12-07'), Date.UTC(2030, 11, 7))
    assert.equal(isoTime('2030-12-07T10:00Z'), Date.UTC(2030, 11, 7, 10))
    assert.equal(isoTime('2030-12-07T10:00:00.5+02:00'), Date.UTC(2030, 11, 7, 8, 0, 0, 500))
    for (const text of [
      '2030-12-07T10:00:00',
      '7.12.2030',
      '2030-02-30',
      '2030-13-01',
      '2030',
      'tomorrow',
      '',
    ]) {
      assert.equal(isoTime(text), undefined, text)
    }
  })

  it('a value may be a list of rules by id or family, in any case', () => {
    assert.deepEqual(ruleIds('only', 'list-1, AUTH', rules), ['LIST-1', 'AUTH-1', 'AUTH-2'])
  })

  it('a rule that does not exist is rejected', () => {
    for (const text of ['LIST-2', 'LIS', '', 'LIST-1,', 'LIST-']) {
      assert.throws(
        () => ruleIds('only', text, rules),
        /^UsageError: --only names the unknown rule ".*": --list prints all rules$/,
      )
    }
  })
})
