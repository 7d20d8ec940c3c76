import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rateLimiterContract } from 'pet-adoption-service/contracts'
import { createStorageLimiter } from './limiter.ts'

rateLimiterContract({
  test,
  create: (setup) => createStorageLimiter(new Map<string, string>(), setup),
})

test('the rate limiter example keeps its accounts in the storage', async () => {
  const storage = new Map<string, string>()
  for (const remaining of [59, 58]) {
    const limits = [{ requests: 60, windowMs: 60_000 }]
    const decision = await createStorageLimiter(storage).consume('address:192.0.2.1', limits)
    assert.equal(decision.remaining, remaining)
  }
})
