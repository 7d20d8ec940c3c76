import assert from 'node:assert/strict'
import { test } from 'node:test'
import { each, found, json } from '../testing/recorded.ts'

const rejected = json(400, { code: 'unknown_category', message: 'There is no category 1.', status: 400 })
const created = ['create-available', 'create-pending', 'create-sold', 'create-no-status', 'create-int64']

test('the reason of a valid body that is rejected quotes the deployment and names --category-id', () => {
  const { outcome, reason } = found('CREATE-23', 'create', { 'create-own-id': rejected })
  assert.equal(outcome, 'no-evidence')
  assert.match(reason, /; the deployment says "unknown_category: There is no category 1\."; /)
  assert.match(reason, /--category-id/)
})

test('the reason names --category-id once, and not if it was given', () => {
  const script = { list: json(200, []), 'list-100': json(200, []), ...each(created, rejected) }
  const { reason } = found('CREATE-1', 'create', script)
  assert.match(reason, /the deployment says "unknown_category/)
  assert.equal(reason.match(/--category-id/g)?.length, 1)
  const given = found('CREATE-23', 'create', { 'create-own-id': rejected }, { categoryId: '7' })
  assert.doesNotMatch(given.reason, /--category-id/)
})

test('the reason says that a 400 without a body gives no reason', () => {
  const { reason } = found('CREATE-23', 'create', { 'create-own-id': { status: 400, body: '' } })
  assert.match(reason, /the 400 gives no reason/)
})
