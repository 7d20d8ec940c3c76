import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Caller, sha256 } from '../../core/index.ts'
import { createPostgresKeyStore, type PostgresResult, type PostgresValue } from './index.ts'

/** Opens a key store over rows by token. A query is pending until `respond` is called. */
function openKeys(stored: Readonly<Record<string, object>> = {}) {
  const rows = new Map(Object.entries(stored).map(([token, columns]) => [sha256(token), columns]))
  /** The hashes in each query. */
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

  /** Completes the oldest query. */
  async function respond(): Promise<void> {
    await nextTurn()
    ends.shift()?.()
    await nextTurn()
  }

  /** Looks up a key and completes the query. */
  async function lookUp(token: string): Promise<Caller | undefined> {
    const result = find(token)
    await respond()
    return result
  }
  return { find, rows, queries, time, respond, lookUp }
}

const shelter = { id: 'shelter', plan: 'pro' }

describe('PostgreSQL key lookups', () => {
  it('cache a valid key for 5 s, unless the clock is set back', async () => {
    const { find, lookUp, respond, queries, time } = openKeys({ a: {} })
    const first = find('a')
    await nextTurn()
    time.now += 3_000
    await respond()
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

  it('do not cache unknown, expired or revoked keys', async () => {
    const { lookUp, queries } = openKeys({ expired: { expiresAt: 1_000_000 }, revoked: { revokedAt: 0 } })
    for (const token of ['unknown', 'expired', 'revoked'])
      for (let i = 0; i < 2; i++) assert.equal(await lookUp(token), undefined)
    assert.equal(queries.length, 6)
  })

  it('share a query while 4 queries are in flight', async () => {
    const { find, respond, queries } = openKeys({ 'guess-7': {} })
    const results: unknown[] = []
    for (let i = 0; i < 9; i++) {
      results.push(find(`guess-${i}`))
      await nextTurn()
    }
    assert.equal(queries.length, 4)
    for (let i = 0; i < 5; i++) await respond()
    assert.equal(queries.map(({ length }) => length).join(), '1,1,1,1,5')
    const found = await Promise.all(results)
    assert.deepEqual(found.filter(Boolean), [shelter])
  })

  it('evict old keys for valid keys, but not for unknown keys', async () => {
    const { find, lookUp, respond, rows } = openKeys({ a: {} })
    async function lookUpMany(kind: string): Promise<void> {
      for (let start = 0; start < 10_000; start += 500) {
        const tokens = Array.from({ length: 500 }, (_, i) => `${kind}-${start + i}`)
        if (kind === 'valid') for (const token of tokens) rows.set(sha256(token), {})
        const results = tokens.map((token) => find(token))
        await respond()
        await Promise.all(results)
      }
    }
    await lookUp('a')
    await lookUpMany('unknown')
    assert.deepEqual(find('a'), shelter)
    await lookUpMany('valid')
    assert.ok(find('a') instanceof Promise)
    assert.deepEqual(find('valid-1'), shelter)
  })
})
