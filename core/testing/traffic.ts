import fc from 'fast-check'
import type { Limit } from '../limits/bucket.ts'

/** A moment that no test depends on. */
export const epoch: number = Date.UTC(2026, 10, 20, 12)

const someLimit: fc.Arbitrary<Limit> = fc.record(
  {
    requests: fc.integer({ min: 1, max: 7 }),
    windowMs: fc.oneof(fc.constantFrom(1, 2, 999, 1000, 1001, 60_000), fc.integer({ min: 1, max: 20_000 })),
  },
  { noNullPrototype: true },
)

/** What happens to some limits: how long after the one before each request comes, in milliseconds. */
export interface Story {
  readonly limits: readonly Limit[]
  readonly gaps: readonly number[]
}

/** Bursts, drips and breaks: a gap is most often none, else so many thousandths of one of the windows. */
const steps = fc.array(
  fc.tuple(
    fc.oneof(
      { weight: 6, arbitrary: fc.constant(0) },
      { weight: 2, arbitrary: fc.nat(50) },
      { weight: 3, arbitrary: fc.nat(1_200) },
    ),
    fc.nat(1),
  ),
  { minLength: 1, maxLength: 50, size: 'max' },
)

function storyOf(limits: fc.Arbitrary<readonly Limit[]>): fc.Arbitrary<Story> {
  return fc.tuple(limits, steps).map(([all, parts]) => ({
    limits: all,
    gaps: parts.map(([part, which]) => Math.floor((part / 1_000) * (all[which % all.length]?.windowMs ?? 0))),
  }))
}

export const someStory: fc.Arbitrary<Story> = storyOf(fc.array(someLimit, { minLength: 1, maxLength: 2 }))

export const storyOfOneLimit: fc.Arbitrary<Story> = storyOf(someLimit.map((limit) => [limit]))
