import assert from 'node:assert/strict'
import { it } from 'node:test'
import { LookupThrottle } from '../keys/lookup-throttle.ts'
import { measureMemoryInUse } from '../testing/memory-in-use.ts'
import { createTestClock } from '../testing/test-clock.ts'
import { createMemoryLimiter } from './memory-limiter.ts'
import { plans, toLimits } from './plans.ts'

const freeLimits = toLimits(plans.free)

/** Fills a limiter with addresses that were rejected 99 times each, one rejection before a ban. */
function createRejectingLimiter(addresses: number): ReturnType<typeof createMemoryLimiter> {
  const { clock, advance } = createTestClock()
  const limiter = createMemoryLimiter({ clock })
  for (let request = 1; request <= 60 + 99; request++, advance(request > 60 ? 600 : 0))
    for (let i = 0; i < addresses; i++)
      assert.equal(limiter.consume(`address:10.0.${i >> 8}.${i & 255}`, freeLimits).banned, false)
  assert.equal(limiter.size, addresses)
  return limiter
}

/** Fills a limiter and a lookup throttle with more addresses than they store. */
function createFullState(addresses: number): readonly unknown[] {
  const { clock } = createTestClock()
  const [limiter, lookups] = [createMemoryLimiter({ clock }), new LookupThrottle()]
  for (let i = 0; i < addresses; i++) {
    // Addresses in separate /48 networks take the most memory.
    const bucket = `${(0x20010db80000 + i).toString(16)}0000::/64`
    lookups.recordDecision(bucket, limiter.consume(`address:${bucket}`, freeLimits), clock())
  }
  assert.ok(limiter.size < addresses)
  return [limiter, lookups]
}

/**
 * Measures the memory of what `create` returns, in bytes. A result above `max` is measured up to three times, because
 * other tests in the process may allocate memory meanwhile.
 */
function measureBytes(create: () => unknown, max: number): number {
  const retainedStates: unknown[] = [] // prevents garbage collection
  let bytes = Number.POSITIVE_INFINITY
  while (retainedStates.length < 3 && bytes > max) {
    const bytesBefore = measureMemoryInUse()
    retainedStates.push(create())
    bytes = measureMemoryInUse() - bytesBefore
  }
  return bytes
}

// No other tests are in this file, because their memory would be measured too.
it('an address with 99 rejections uses at most 335 bytes of memory', () => {
  createRejectingLimiter(64) // warms up the code
  const bytes = measureBytes(() => createRejectingLimiter(4_096), 335 * 4_096) / 4_096
  assert.ok(bytes <= 335, `${bytes} bytes`)
})

it('the limiter and the lookup throttle use at most 32 MiB together', () => {
  const mebibytes = measureBytes(() => createFullState(130_000), 2 ** 25) / 2 ** 20
  assert.ok(mebibytes <= 32, `${mebibytes} MiB`)
})
