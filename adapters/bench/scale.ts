import type { Figure } from './figures.ts'
import { manyAnimals } from './many-animals.ts'
import { halfOfTheLoad, manyConnections } from './many-connections.ts'

/** How the built package bears many animals, many connections, and half of the load that it can take. */
export async function* scale(): AsyncGenerator<Figure> {
  yield* manyAnimals()
  yield* manyConnections()
  yield* halfOfTheLoad()
}
