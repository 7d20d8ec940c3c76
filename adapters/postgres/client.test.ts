import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StoreUnavailable } from '../../core/index.ts'
import { createQuery, type NamedStatement, type PostgresValue } from './client.ts'

/** Creates a pool that rejects a statement with the code that `findCode` returns for it. */
function createPool(findCode: (statement: string | NamedStatement) => string | undefined = () => undefined) {
  const asked: (string | NamedStatement)[] = []
  return {
    asked,
    waitingCount: 0,
    async query(statement: string | NamedStatement, _values?: PostgresValue[]) {
      asked.push(statement)
      const code = findCode(statement)
      if (code) throw Object.assign(new Error('no'), { code })
      return { rows: [{ a: 1 }] }
    },
  }
}

describe('the query function of a pool', () => {
  it('prepares each statement under a name made of its text', async () => {
    const pool = createPool()
    const query = createQuery(pool)
    for (const text of ['SELECT 1', 'SELECT 2', 'SELECT 1'])
      assert.deepEqual(await query(text, ['x']), [{ a: 1 }])
    const names = pool.asked.map((statement) => (typeof statement === 'string' ? '' : statement.name))
    assert.match(names[0] ?? '', /^pet_adoption_[0-9a-f]{32}$/)
    assert.equal(names[2], names[0])
    assert.notEqual(names[1], names[0])
    assert.deepEqual(pool.asked[1], { name: names[1], text: 'SELECT 2', values: ['x'] })
  })

  for (const code of ['26000', '42P05', '0A000'])
    it(`uses no names after a statement failed for its name (${code})`, async () => {
      const pool = createPool((statement) => (typeof statement === 'string' ? undefined : code))
      const query = createQuery(pool)
      for (let i = 0; i < 2; i++) assert.deepEqual(await query('SELECT 1'), [{ a: 1 }])
      assert.deepEqual(pool.asked.slice(1), ['SELECT 1', 'SELECT 1'])
    })

  for (const code of ['40001', '40P01'])
    it(`retries a statement once after a conflict (${code})`, async () => {
      let conflicts = 1
      const pool = createPool(() => (conflicts-- > 0 ? code : undefined))
      assert.deepEqual(await createQuery(pool)('SELECT 1'), [{ a: 1 }])
      conflicts = 2
      await assert.rejects(createQuery(pool)('SELECT 1'), StoreUnavailable)
      assert.equal(pool.asked.length, 4)
    })

  it('retries no other failure', async () => {
    const pool = createPool(() => '57P01')
    await assert.rejects(createQuery(pool)('SELECT 1'), StoreUnavailable)
    assert.equal(pool.asked.length, 1)
  })
})
