import assert from 'node:assert/strict'
import { it } from 'node:test'
import { memoryInUse } from '../testing/memory-in-use.ts'
import { heldClock } from '../testing/traffic.ts'
import { createMemoryLimiter } from './memory-limiter.ts'
import { plans, toLimits } from './plans.ts'

const free = toLimits(plans.free)

/** Creates a limiter with a number of addresses, each of them rejected 99 times. */
function limiterWith(addresses: number): ReturnType<typeof createMemoryLimiter> {
  const { clock, pass } = heldClock()
  const limiter = createMemoryLimiter({ clock })
  for (let request = 1; request <= 60 + 99; request++, pass(request > 60 ? 600 : 0))
    for (let i = 0; i < addresses; i++)
      assert.equal(limiter.consume(`address:10.0.${i >> 8}.${i & 255}`, free).banned, false)
  assert.equal(limiter.size, addresses)
  return limiter
}

// The only test of its file: memory that other tests leave behind would count.
it('the memory limiter stores an address in at most 335 bytes', () => {
  // All limiters stay in use, so that none makes room for the next. The engine compiles code for the first one. Other
  // tests of the process may allocate meanwhile, though not each time.
  const limiters = [limiterWith(64)]
  let bytes = Number.POSITIVE_INFINITY
  for (let attempt = 1; attempt <= 3 && bytes > 335; attempt++) {
    const before = memoryInUse()
    limiters.push(limiterWith(4_096))
    bytes = (memoryInUse() - before) / 4_096
  }
  assert.ok(bytes <= 335, `${bytes} bytes`) // 100,000 addresses: at most 32 MiB
})
