import assert from 'node:assert/strict'
import { it } from 'node:test'
import { memoryInUse } from '../testing/memory-in-use.ts'
import { heldClock } from '../testing/traffic.ts'
import { createMemoryLimiter } from './memory-limiter.ts'
import { limitsOf, plans } from './plans.ts'

const free = limitsOf(plans.free)

/** Charges so many addresses until each has been rejected 99 times. */
function limiterWith(addresses: number): ReturnType<typeof createMemoryLimiter> {
  const { clock, pass } = heldClock()
  const limiter = createMemoryLimiter({ clock })
  for (let request = 1; request <= 60 + 99; request++, pass(request > 60 ? 600 : 0))
    for (let i = 0; i < addresses; i++)
      assert.equal(limiter.consume(`address:10.0.${i >> 8}.${i & 255}`, free).banned, false)
  assert.equal(limiter.size, addresses)
  return limiter
}

// The only test of its file, since what others leave behind counts too.
it('the limiter in memory needs at most 335 bytes for an address that has been rejected 99 times', () => {
  // All stay in use, so that none makes room for the next one. What the engine compiles for the first is no memory of
  // addresses. Other tests of the process may allocate meanwhile, though not each time.
  const limiters = [limiterWith(64)]
  let bytes = Number.POSITIVE_INFINITY
  for (let attempt = 1; attempt <= 3 && bytes > 335; attempt++) {
    const before = memoryInUse()
    limiters.push(limiterWith(4_096))
    bytes = (memoryInUse() - before) / 4_096
  }
  assert.ok(bytes <= 335, `${bytes} bytes`) // 100,000 addresses: at most 32 MiB
})
