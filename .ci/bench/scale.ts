import type { Figure } from './figures.ts'
import { latencyAtHalfLoad, manyConnections } from './many-connections.ts'
import { manyPets } from './many-pets.ts'

/** Measures the built package with many animals, with many connections, and at half load. */
export async function* scale(): AsyncGenerator<Figure> {
  yield* manyPets()
  yield* manyConnections()
  yield* latencyAtHalfLoad()
}
