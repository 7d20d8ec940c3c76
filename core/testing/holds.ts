import fc from 'fast-check'

const seed = 20_261_120

/** Asserts a law on so many random cases, the same ones in every run; fewer of them where a case is a long story. */
export function holds<T>(property: fc.IProperty<T>, numRuns = 300): void {
  fc.assert(property, { seed, numRuns })
}
