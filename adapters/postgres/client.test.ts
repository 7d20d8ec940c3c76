import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StoreUnavailableError } from '../../core/index.ts'
import { createQuery, createSend, type Statement } from './client.ts'

/** Creates a query function that records its statements. A statement fails if `findCode` returns an error code. */
function createSender(findCode: (statement: Statement) => string | undefined = () => undefined) {
  const sent: Statement[] = []
  async function send(statement: Statement) {
    sent.push(statement)
    const code = findCode(statement)
    if (code) throw Object.assign(new Error('no'), { code })
    return { rows: [{ a: 1 }] }
  }
  return { sent, send, query: createQuery(send) }
}

describe('a PostgreSQL statement', () => {
  it('has a name that depends on its text', async () => {
    const { query, sent } = createSender()
    for (const text of ['SELECT 1', 'SELECT 2', 'SELECT 1'])
      assert.deepEqual(await query(text, ['x']), [{ a: 1 }])
    const names = sent.map(({ name = '' }) => name)
    assert.match(names[0] ?? '', /^pet_adoption_[0-9a-f]{32}$/)
    assert.equal(names[2], names[0])
    assert.notEqual(names[1], names[0])
    assert.deepEqual(sent[1], { name: names[1], text: 'SELECT 2', values: ['x'] })
  })

  it('has no name if the client is not a pool of pg', async () => {
    const received: unknown[] = []
    const client = {
      async query(...statement: unknown[]) {
        received.push(statement)
        return []
      },
    }
    await createQuery(createSend(client))('SELECT 1', ['x'])
    assert.deepEqual(received, [['SELECT 1', ['x']]])
  })

  for (const code of ['26000', '42P05', '0A000'])
    it(`is sent without a name after error ${code}`, async () => {
      const { query, sent } = createSender(({ name }) => name && code)
      for (let i = 0; i < 2; i++) assert.deepEqual(await query('SELECT 1'), [{ a: 1 }])
      const unnamed = { text: 'SELECT 1', values: [] }
      assert.deepEqual(sent.slice(1), [unnamed, unnamed])
    })

  for (const code of ['40001', '40P01'])
    it(`is retried once after conflict ${code}`, async () => {
      let conflicts = 1
      const { query, sent } = createSender(() => (conflicts-- > 0 ? code : undefined))
      assert.deepEqual(await query('SELECT 1'), [{ a: 1 }])
      conflicts = 2
      await assert.rejects(query('SELECT 1'), StoreUnavailableError)
      assert.equal(sent.length, 4)
    })

  it('is not retried after a lost connection', async () => {
    const { query, sent } = createSender(() => '57P01')
    await assert.rejects(query('SELECT 1'), StoreUnavailableError)
    assert.equal(sent.length, 1)
  })
})
