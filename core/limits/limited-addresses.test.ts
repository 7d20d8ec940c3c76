import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { epoch } from '../testing/traffic.ts'
import type { Decision } from './bucket.ts'
import { createLimitedAddresses } from './limited-addresses.ts'

const admitted: Decision = { allowed: true, banned: false, limit: 60, remaining: 9, reset: 0, waitMs: 0 }
const rejected = (waitMs: number): Decision => ({ ...admitted, allowed: false, remaining: 0, waitMs })

describe('an address whose charge was rejected', () => {
  it('allows one lookup a second until its wait ends, and every one after that', () => {
    const limited = createLimitedAddresses()
    limited.record('a', rejected(2_500), epoch)
    const allowed = [0, 999, 1_000, 1_001, 1_999, 2_000, 2_499, 2_500, 2_500, 2_501].filter((ms) =>
      limited.allowsLookup('a', epoch + ms),
    )
    assert.deepEqual(allowed, [0, 1_000, 2_000, 2_500, 2_500, 2_501])
    assert.equal(limited.size, 0)
  })

  it('waits for the time of its latest rejection', () => {
    const limited = createLimitedAddresses()
    limited.record('a', rejected(100), epoch)
    limited.record('a', rejected(900_000), epoch + 50)
    assert.ok(limited.allowsLookup('a', epoch + 199))
    assert.ok(!limited.allowsLookup('a', epoch + 200))
  })

  it('is not limited any more once a charge is admitted', () => {
    const limited = createLimitedAddresses()
    limited.record('a', rejected(900_000), epoch)
    limited.record('a', admitted, epoch + 1)
    assert.ok(limited.allowsLookup('a', epoch + 1))
  })

  it('changes nothing for another address', () => {
    const limited = createLimitedAddresses()
    limited.record('a', rejected(900_000), epoch)
    for (let i = 0; i < 3; i++) assert.ok(limited.allowsLookup('b', epoch))
  })

  it('does not wait for a clock that steps back', () => {
    const limited = createLimitedAddresses()
    limited.record('a', rejected(900_000), epoch)
    assert.ok(limited.allowsLookup('a', epoch))
    assert.ok(limited.allowsLookup('a', epoch - 86_400_000))
    assert.ok(!limited.allowsLookup('a', epoch - 86_400_000 + 999))
    assert.ok(limited.allowsLookup('a', epoch - 86_400_000 + 1_000))
  })

  it('is not limited if the limiter returns no wait', () => {
    const limited = createLimitedAddresses()
    limited.record('a', rejected(Number.NaN), epoch)
    assert.ok(limited.allowsLookup('a', epoch))
  })
})

describe('a flood of limited addresses', () => {
  const flood = (count: number) => {
    const limited = createLimitedAddresses()
    for (let i = 0; i < count; i++) limited.record(`a${i}`, rejected(60_000), epoch)
    return limited
  }

  it('fills 10,000 entries; all further addresses share one lookup a second', () => {
    const limited = flood(20_000)
    assert.equal(limited.size, 10_000)
    assert.deepEqual(
      ['a10000', 'a10001', 'never seen', 'a10000'].map((address) => limited.allowsLookup(address, epoch)),
      [true, false, false, false],
    )
    assert.ok(limited.allowsLookup('a10001', epoch + 1_000))
    assert.ok(!limited.allowsLookup('a10000', epoch + 1_999))
    assert.ok(limited.allowsLookup('a7', epoch + 1_999))
  })

  it('leaves no entry once it is over', () => {
    const limited = flood(10_000)
    for (let i = 0; i < 5_100; i++) limited.allowsLookup('b', epoch + 60_000)
    assert.equal(limited.size, 0)
  })
})
