import fc from 'fast-check'
import type { Limit } from '../rate-limit.ts'

/** A moment that no test depends on. */
export const epoch: number = Date.UTC(2026, 10, 20, 12)

export const someLimit: fc.Arbitrary<Limit> = fc.record(
  {
    requests: fc.integer({ min: 1, max: 7 }),
    windowMs: fc.oneof(fc.constantFrom(1, 2, 999, 1000, 1001, 60_000), fc.integer({ min: 1, max: 20_000 })),
  },
  { noNullPrototype: true },
)

export const someLimits: fc.Arbitrary<readonly Limit[]> = fc.array(someLimit, { minLength: 1, maxLength: 2 })

/** How long after the one before each request comes: bursts, drips and breaks, in milliseconds. */
export const gaps: fc.Arbitrary<readonly number[]> = fc.array(
  fc.oneof(fc.constant(0), fc.nat(3), fc.nat(500), fc.nat(3_000), fc.nat(25_000)),
  { minLength: 1, maxLength: 40 },
)
