import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LookupThrottle } from './lookup-throttle.ts'

describe('LookupThrottle', () => {
  it('throttles an address again when it reaches its limit again', () => {
    const throttle = new LookupThrottle()
    const decision = { allowed: false, banned: false, limit: 60, remaining: 0, reset: 0, waitMs: 5_000 }
    throttle.recordDecision('address:a', decision, 0)
    assert.ok(throttle.tryBegin('address:a', 9_000)) // the limit from before no longer counts
    throttle.recordDecision('address:a', decision, 9_500)
    assert.equal(throttle.tryBegin('address:a', 10_499), false)
    assert.ok(throttle.tryBegin('address:a', 10_500))
  })
})
