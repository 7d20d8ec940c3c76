import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { limitsOf, plans } from '../plans.ts'
import { epoch } from '../testing/traffic.ts'
import { createMemoryLimiter } from './memory-limiter.ts'

const free = limitsOf(plans.free)

/** Bytes that are in use after a collection of garbage. The only test of its file, since what others leave behind counts too. */
function memoryInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

it('the limiter in memory needs at most 200 bytes for an address that has been rejected 99 times', () => {
  const addresses = Array.from({ length: 4_096 }, (_, i) => `address:10.0.${i >> 8}.${i & 255}`)
  let now = epoch
  const before = memoryInUse()
  const limiter = createMemoryLimiter({ clock: () => now })
  for (let request = 1; request <= 60 + 99; request++) {
    now += request > 60 ? 600 : 0
    for (const address of addresses) assert.equal(limiter.consume(address, free).banned, false)
  }
  const bytesEach = (memoryInUse() - before) / addresses.length
  assert.equal(limiter.size, addresses.length)
  assert.ok(bytesEach <= 200, `${bytesEach} bytes`)
})
