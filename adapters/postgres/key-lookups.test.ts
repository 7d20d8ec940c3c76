import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FoundKey } from '../sql/keys.ts'
import { createKeyLookups } from './key-lookups.ts'

function createKey(sha256: string, endsAt = Infinity): FoundKey {
  return { sha256, caller: { id: `caller of ${sha256}`, plan: 'pro' }, endsAt }
}

/** A table of keys whose queries end when a test lets them. */
function createBench(...known: readonly FoundKey[]) {
  const keys = new Map(known.map((key) => [key.sha256, key]))
  /** The hashes of each query so far. */
  const queries: (readonly string[])[] = []
  const ends: (() => void)[] = []
  const time = { now: 1_000_000 }
  const find = createKeyLookups(
    (hashes) => {
      queries.push(hashes)
      return new Promise((resolve) =>
        ends.push(() => resolve(hashes.flatMap((hash) => keys.get(hash) ?? []))),
      )
    },
    () => time.now,
  )

  /** Ends the oldest query, once it is under way, and waits for its effects. */
  async function end(): Promise<void> {
    await nextTurn()
    ends.shift()?.()
    await nextTurn()
  }

  /** Looks a key up whose query ends immediately. */
  async function lookUp(hash: string): Promise<FoundKey | undefined> {
    const result = find(hash)
    await end()
    return result
  }
  return { find, keys, queries, time, end, lookUp }
}

describe('key lookups in PostgreSQL', () => {
  it('read a valid key once in 5 s, and again after the clock was set back', async () => {
    const { find, lookUp, end, queries, time } = createBench(createKey('a'))
    const first = find('a')
    await nextTurn()
    time.now += 3000
    await end()
    assert.equal((await first)?.caller.id, 'caller of a')
    time.now += 1999
    assert.deepEqual(find('a'), createKey('a'))
    assert.equal(queries.length, 1)
    time.now += 1
    assert.equal((await lookUp('a'))?.caller.id, 'caller of a')
    time.now -= 1
    await lookUp('a')
    assert.equal(queries.length, 3)
  })

  it('cache no unknown, expired or revoked keys', async () => {
    const { lookUp, queries } = createBench(createKey('expired', 1_000_000), createKey('revoked', -Infinity))
    for (const hash of ['unknown', 'expired', 'revoked']) {
      await lookUp(hash)
      await lookUp(hash)
    }
    assert.equal(queries.length, 6)
  })

  it('have at most four queries in flight; further ones share the next', async () => {
    const { find, end, queries } = createBench(createKey('guess-7'))
    const results: unknown[] = []
    for (let i = 0; i < 9; i++) {
      results.push(find(`guess-${i}`))
      await nextTurn()
    }
    assert.equal(queries.length, 4)
    for (let i = 0; i < 5; i++) await end()
    assert.equal(queries.map(({ length }) => length).join(), '1,1,1,1,5')
    const found = await Promise.all(results)
    assert.deepEqual(found.filter(Boolean), [createKey('guess-7')])
  })

  it('cache a bounded number of valid keys, which unknown keys do not evict', async () => {
    const { find, lookUp, keys } = createBench(createKey('a'))
    await lookUp('a')
    for (let i = 0; i < 10_100; i++) await lookUp(`unknown-${i}`)
    assert.deepEqual(find('a'), createKey('a'))
    for (let i = 0; i < 10_000; i++) {
      keys.set(`valid-${i}`, createKey(`valid-${i}`))
      await lookUp(`valid-${i}`)
    }
    assert.ok(find('a') instanceof Promise)
    assert.deepEqual(find('valid-1'), createKey('valid-1'))
  })
})
