import assert from 'node:assert/strict'
import { it } from 'node:test'
import { memoryInUse } from '../testing/memory-in-use.ts'
import { heldClock } from '../testing/traffic.ts'
import { createMemoryLimiter } from './memory-limiter.ts'
import { limitsOf, plans } from './plans.ts'

const free = limitsOf(plans.free)
/** In bytes: 100,000 addresses use at most 32 MiB. */
const most = 335

/** Charges each address until it has been rejected 99 times. */
function limiterWith(addresses: readonly string[]): ReturnType<typeof createMemoryLimiter> {
  const { clock, pass } = heldClock()
  const limiter = createMemoryLimiter({ clock })
  for (let request = 1; request <= 60 + 99; request++) {
    pass(request > 60 ? 600 : 0)
    for (const address of addresses) assert.equal(limiter.consume(address, free).banned, false)
  }
  return limiter
}

// The only test of its file, since what others leave behind counts too.
it('the limiter in memory needs at most 335 bytes for an address that has been rejected 99 times', () => {
  const addresses = Array.from({ length: 4_096 }, (_, i) => `address:10.0.${i >> 8}.${i & 255}`)
  // All stay in use, so that none makes room for the next one. What the engine compiles for the first is no memory of
  // addresses.
  const limiters = [limiterWith(addresses.slice(0, 64))]
  function bytesEach(): number {
    const before = memoryInUse()
    const limiter = limiterWith(addresses)
    limiters.push(limiter)
    assert.equal(limiter.size, addresses.length)
    return (memoryInUse() - before) / addresses.length
  }
  let least = bytesEach()
  // Other tests of the process may allocate meanwhile, though not each time.
  for (let again = 0; again < 2 && least > most; again++) least = Math.min(least, bytesEach())
  assert.ok(least <= most, `${least} bytes`)
})
