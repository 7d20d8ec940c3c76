import fc from 'fast-check'

const seed = 20_261_120

/** Asserts that a property holds, with a fixed seed. */
export function assertProperty<T>(property: fc.IProperty<T>, numRuns = 300): void {
  fc.assert(property, { seed, numRuns })
}
