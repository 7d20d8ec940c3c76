/** Chance that a seed decides: the same seed, the same story. */
export interface Random {
  /** A whole number from 0 to `end` - 1. */
  below(end: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** So many of the list, each time another one, as one text. */
  text(list: readonly string[], maxLength: number): string
}

/** Mulberry32, whose 32 bits of state are enough for tests. */
export function createRandom(seed: number): Random {
  let state = seed | 0
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T // within the list, which is never empty
  return {
    below,
    chance: (probability) => next() < probability,
    pick,
    text: (list, maxLength) => Array.from({ length: below(maxLength + 1) }, () => pick(list)).join(''),
  }
}
