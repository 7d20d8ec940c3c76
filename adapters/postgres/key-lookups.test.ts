import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Caller, sha256 } from '../../core/index.ts'
import { createPostgresKeyStore, type PostgresResult, type PostgresValue } from './index.ts'

/** Opens the keys of a PostgreSQL that has those of some tokens, with these columns, and whose queries a test ends. */
function openKeys(stored: Readonly<Record<string, object>> = {}) {
  const rows = new Map(Object.entries(stored).map(([token, columns]) => [sha256(token), columns]))
  /** The hashes of each query so far. */
  const queries: string[][] = []
  const ends: (() => void)[] = []
  const time = { now: 1_000_000 }
  const findRow = (hash: string) => {
    const columns = rows.get(hash)
    const none = { minute: null, day: null, label: null, expiresAt: null, revokedAt: null }
    return columns ? [{ sha256: hash, id: 'shelter', plan: 'pro', createdAt: 0, ...none, ...columns }] : []
  }
  const client = {
    query(_text: string, [hashes]: PostgresValue[] = []): Promise<PostgresResult> {
      const asked = String(hashes).split(',')
      queries.push(asked)
      return new Promise((resolve) => ends.push(() => resolve(asked.flatMap(findRow))))
    },
  }
  const { find } = createPostgresKeyStore({ client, clock: () => time.now })

  /** Ends the oldest query, once it is under way, and waits for its effects. */
  async function end(): Promise<void> {
    await nextTurn()
    ends.shift()?.()
    await nextTurn()
  }

  /** Looks a key up whose query ends immediately. */
  async function lookUp(token: string): Promise<Caller | undefined> {
    const result = find(token)
    await end()
    return result
  }
  return { find, rows, queries, time, end, lookUp }
}

const shelter = { id: 'shelter', plan: 'pro' }

describe('the lookup of a key in PostgreSQL', () => {
  it('reads a valid key once in 5 s, and again after the clock was set back', async () => {
    const { find, lookUp, end, queries, time } = openKeys({ a: {} })
    const first = find('a')
    await nextTurn()
    time.now += 3_000
    await end()
    assert.deepEqual(await first, shelter)
    time.now += 1_999
    assert.deepEqual(find('a'), shelter)
    assert.equal(queries.length, 1)
    for (const ms of [1, -1]) {
      time.now += ms
      assert.deepEqual(await lookUp('a'), shelter)
    }
    assert.equal(queries.length, 3)
  })

  it('caches no unknown, expired or revoked key', async () => {
    const { lookUp, queries } = openKeys({ expired: { expiresAt: 1_000_000 }, revoked: { revokedAt: 0 } })
    for (const token of ['unknown', 'expired', 'revoked'])
      for (let i = 0; i < 2; i++) assert.equal(await lookUp(token), undefined)
    assert.equal(queries.length, 6)
  })

  it('has at most four queries in flight; further ones share the next', async () => {
    const { find, end, queries } = openKeys({ 'guess-7': {} })
    const results: unknown[] = []
    for (let i = 0; i < 9; i++) {
      results.push(find(`guess-${i}`))
      await nextTurn()
    }
    assert.equal(queries.length, 4)
    for (let i = 0; i < 5; i++) await end()
    assert.equal(queries.map(({ length }) => length).join(), '1,1,1,1,5')
    const found = await Promise.all(results)
    assert.deepEqual(found.filter(Boolean), [shelter])
  })

  it('caches a bounded number of valid keys, which unknown keys do not evict', async () => {
    const { find, lookUp, rows } = openKeys({ a: {} })
    await lookUp('a')
    for (let i = 0; i < 10_100; i++) await lookUp(`unknown-${i}`)
    assert.deepEqual(find('a'), shelter)
    for (let i = 0; i < 10_000; i++) {
      rows.set(sha256(`valid-${i}`), {})
      await lookUp(`valid-${i}`)
    }
    assert.ok(find('a') instanceof Promise)
    assert.deepEqual(find('valid-1'), shelter)
  })
})
