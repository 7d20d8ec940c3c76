/** A random number generator that returns the same numbers for the same seed (mulberry32). */
export interface Random {
  /** Returns a random integer from `min` to `max`. */
  integer(min: number, max: number): number
  /** Returns a random element from a non-empty array. */
  pick<const T>(choices: readonly T[]): T
}

export function createRandom(seed: number): Random {
  let state = seed
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const pickInteger = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    integer: pickInteger,
    pick: (choices) => choices[pickInteger(0, choices.length - 1)] as (typeof choices)[number],
  } // the index is always in range
}
