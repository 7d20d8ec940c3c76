/** Pseudorandom numbers that are the same in every run (mulberry32). */
export interface Random {
  /** Returns a whole number from `least` to `most`. */
  whole(least: number, most: number): number
  /** Returns one of the choices, which are one or more. */
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
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return { whole, pick: (choices) => choices[whole(0, choices.length - 1)] as (typeof choices)[number] } // it is there
}
