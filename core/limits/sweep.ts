/** How many entries each call visits: more than one, so that a table shrinks after a flood. */
const steps = 2

/**
 * Creates a function that visits a few entries at each call, round after round. It takes the place of a timer.
 *
 * @param entries Returns all entries. A round also reaches those that are added during it.
 * @param visit Receives an entry and the time `now` of the call.
 */
export function createSweep<Entry>(
  entries: () => Iterator<Entry>,
  visit: (entry: Entry, now: number) => void,
): (now: number) => void {
  let round = entries()
  return (now) => {
    for (let step = 0; step < steps; step++) {
      const next = round.next()
      if (next.done) {
        round = entries()
        return
      }
      visit(next.value, now)
    }
  }
}
