import fc from 'fast-check'

const seed = 20_261_120

/** Asserts a law on `numRuns` random cases, which are the same in every run. */
export function holds<T>(property: fc.IProperty<T>, numRuns = 300): void {
  fc.assert(property, { seed, numRuns })
}
