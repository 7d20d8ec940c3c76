import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreUnavailable } from '../../core/index.ts'
import { createQuery, type NamedStatement, type PostgresValue } from './client.ts'

/** A pool that rejects statements with a name by this code, if there is one. */
function poolWithNames(code?: string) {
  const asked: (string | NamedStatement)[] = []
  return {
    asked,
    waitingCount: 0,
    async query(statement: string | NamedStatement, _values?: PostgresValue[]) {
      asked.push(statement)
      if (code && typeof statement !== 'string') throw Object.assign(new Error('no'), { code })
      return { rows: [{ a: 1 }] }
    },
  }
}

test('a pool prepares each statement under a name of its text', async () => {
  const pool = poolWithNames()
  const query = createQuery(pool)
  for (const text of ['SELECT 1', 'SELECT 2', 'SELECT 1'])
    assert.deepEqual(await query(text, ['x']), [{ a: 1 }])
  const names = pool.asked.map((statement) => (typeof statement === 'string' ? '' : statement.name))
  assert.match(names[0] ?? '', /^pet_adoption_[0-9a-f]{32}$/)
  assert.equal(names[2], names[0])
  assert.notEqual(names[1], names[0])
  assert.deepEqual(pool.asked[1], { name: names[1], text: 'SELECT 2', values: ['x'] })
})

test('a server that does not retain statements is asked again without a name, and then always; others are not', async () => {
  for (const code of ['26000', '42P05', '0A000']) {
    const pool = poolWithNames(code)
    const query = createQuery(pool)
    for (let i = 0; i < 2; i++) assert.deepEqual(await query('SELECT 1'), [{ a: 1 }])
    assert.deepEqual(pool.asked.slice(1), ['SELECT 1', 'SELECT 1'], code)
  }
  const pool = poolWithNames('57P01')
  await assert.rejects(createQuery(pool)('SELECT 1'), StoreUnavailable)
  assert.equal(pool.asked.length, 1)
})
