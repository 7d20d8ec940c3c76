/** Random values that a seed determines. */
export interface Random {
  /** Returns a whole number from 0 to `end` - 1. */
  below(end: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** Returns up to `maxLength` random entries of the list, joined. */
  text(list: readonly string[], maxLength: number): string
}

/** Creates random values by Mulberry32. Its 32 bits of state are enough for tests. */
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
