import type { Random } from '../fuzz/random.ts'
import type { Place } from './places.ts'
import { neighbour, randomShape, type Shape } from './shape.ts'

/** A shape and how long a request with it takes, in milliseconds. */
export interface Timed {
  readonly shape: Shape
  readonly ms: number
}

/** From how many shapes of a place the search goes on. */
const beamWidth = 4
/** How many shapes of a place are tried in a round. */
const triesPerTurn = 10

/**
 * Searches for the slowest shape of each place: starts with random shapes and varies the slowest ones. `goesOn` is called before
 * each round over all places and ends the search when it returns false. Resolves with the slowest shapes of each place, the
 * slowest first.
 */
export async function search(
  places: readonly Place[],
  random: Random,
  measure: (place: Place, shape: Shape) => Promise<number>,
  goesOn: () => boolean,
): Promise<ReadonlyMap<Place, readonly Timed[]>> {
  const slowest = new Map<Place, readonly Timed[]>(places.map((place) => [place, []]))
  while (goesOn()) {
    for (const [place, found] of slowest) {
      const beam = [...found]
      for (let left = triesPerTurn; left > 0; left--) {
        const from = beam.length > 0 && random.chance(0.6) ? random.pick(beam).shape : undefined
        const shape = from ? neighbour(random, place, from) : randomShape(random, place)
        beam.push({ shape, ms: await measure(place, shape) })
        beam.sort((a, b) => b.ms - a.ms)
        beam.splice(beamWidth)
      }
      slowest.set(place, beam)
    }
  }
  return slowest
}
