import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CallerRow } from '../sql/key-row.ts'
import { createKeyLookups, type KeyLookups } from './key-lookups.ts'

function rowOf(sha256: string, more: Partial<CallerRow> = {}): CallerRow {
  const none = { minute: null, day: null, expiresAt: null, revokedAt: null }
  return { sha256, id: `holder of ${sha256}`, plan: 'pro', ...none, ...more }
}

/** A table of keys whose queries end when a test lets them. */
interface Bench {
  readonly lookups: KeyLookups
  readonly rows: Map<string, CallerRow>
  /** The hashes of each query so far. */
  readonly queries: (readonly string[])[]
  now: number
  /** Ends the oldest query, once it is under way, with its rows or with this failure, and waits for its effects. */
  end(failure?: Error): Promise<void>
}

function createBench(...known: readonly CallerRow[]): Bench {
  const rows = new Map(known.map((row) => [row.sha256, row]))
  const ends: ((failure?: Error) => void)[] = []
  const bench: Bench = {
    rows,
    queries: [],
    now: 1_000_000,
    async end(failure) {
      await nextTurn()
      ends.shift()?.(failure)
      await nextTurn()
    },
    lookups: createKeyLookups(
      (hashes) =>
        new Promise((resolve, reject) => {
          bench.queries.push(hashes)
          ends.push((failure) => {
            if (failure) reject(failure)
            else resolve(hashes.flatMap((hash) => rows.get(hash) ?? []))
          })
        }),
      () => bench.now,
    ),
  }
  return bench
}

/** Looks a key up whose query ends at once. */
async function lookUp(bench: Bench, hash: string): Promise<CallerRow | undefined> {
  const result = bench.lookups.find(hash)
  await bench.end()
  return result
}

test('a valid key is read once in five seconds, without a promise meanwhile, and after a step of the clock', async () => {
  const bench = createBench(rowOf('a'))
  assert.equal((await lookUp(bench, 'a'))?.id, 'holder of a')
  bench.now += 4999
  assert.deepEqual(bench.lookups.find('a'), rowOf('a'))
  assert.equal(bench.queries.length, 1)
  bench.now += 1
  assert.equal((await lookUp(bench, 'a'))?.id, 'holder of a')
  bench.now -= 1
  await lookUp(bench, 'a')
  assert.equal(bench.queries.length, 3)
})

test('the five seconds begin with the query, however long it takes', async () => {
  const bench = createBench(rowOf('a'))
  const result = bench.lookups.find('a')
  await nextTurn()
  bench.now += 3000
  await bench.end()
  await result
  bench.now += 2000
  await lookUp(bench, 'a')
  assert.equal(bench.queries.length, 2)
})

test('unknown, expired and revoked keys are not cached', async () => {
  const bench = createBench(rowOf('expired', { expiresAt: '1000000' }), rowOf('revoked', { revokedAt: '5' }))
  for (const hash of ['unknown', 'expired', 'revoked']) {
    await lookUp(bench, hash)
    await lookUp(bench, hash)
  }
  assert.equal(bench.queries.length, 6)
})

test('at most four queries run at a time, and what is looked up meanwhile shares the next one', async () => {
  const bench = createBench(rowOf('guess-7'))
  const results: unknown[] = []
  for (let i = 0; i < 9; i++) {
    results.push(bench.lookups.find(`guess-${i}`))
    await nextTurn()
  }
  assert.equal(bench.queries.length, 4)
  await bench.end()
  assert.deepEqual(
    bench.queries.map(({ length }) => length),
    [1, 1, 1, 1, 5],
  )
  for (let i = 0; i < 4; i++) await bench.end()
  const found = await Promise.all(results)
  assert.deepEqual(
    found.flatMap((row) => row ?? []),
    [rowOf('guess-7')],
  )
})

test('a key is cached through a flood of unknown ones, and the cache of valid ones is bounded', async () => {
  const bench = createBench(rowOf('a'))
  await lookUp(bench, 'a')
  for (let i = 0; i < 10_100; i++) await lookUp(bench, `unknown-${i}`)
  assert.deepEqual(bench.lookups.find('a'), rowOf('a'))
  for (let i = 0; i < 10_000; i++) {
    bench.rows.set(`valid-${i}`, rowOf(`valid-${i}`))
    await lookUp(bench, `valid-${i}`)
  }
  assert.ok(bench.lookups.find('a') instanceof Promise)
  assert.deepEqual(bench.lookups.find('valid-1'), rowOf('valid-1'))
})
