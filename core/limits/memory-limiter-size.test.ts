import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { epoch } from '../testing/traffic.ts'
import { createMemoryLimiter } from './memory-limiter.ts'
import { limitsOf, plans } from './plans.ts'

const free = limitsOf(plans.free)

/**
 * Bytes that are in use after garbage is collected: the least of three times, since the compiler allocates meanwhile. The only
 * test of its file, since what others leave behind counts too.
 */
function memoryInUse(): number {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const attempts = [1, 2, 3].map(() => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  })
  return Math.min(...attempts)
}

/** Charges each address until it has been rejected 99 times. */
function limiterWith(addresses: readonly string[]): ReturnType<typeof createMemoryLimiter> {
  let now = epoch
  const limiter = createMemoryLimiter({ clock: () => now })
  for (let request = 1; request <= 60 + 99; request++) {
    now += request > 60 ? 600 : 0
    for (const address of addresses) assert.equal(limiter.consume(address, free).banned, false)
  }
  return limiter
}

it('the limiter in memory needs at most 200 bytes for an address that has been rejected 99 times', () => {
  const addresses = Array.from({ length: 4_096 }, (_, i) => `address:10.0.${i >> 8}.${i & 255}`)
  limiterWith(addresses.slice(0, 64)) // what the engine compiles is no memory of the addresses
  const before = memoryInUse()
  const limiter = limiterWith(addresses)
  const bytesEach = (memoryInUse() - before) / addresses.length
  assert.equal(limiter.size, addresses.length)
  assert.ok(bytesEach <= 200, `${bytesEach} bytes`)
})
