import { createRandom as createNumbers } from '../../contracts/random.ts'

/** Random values that a seed determines. */
export interface Random {
  /** Returns a whole number from 0 to `end` - 1. */
  below(end: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** Returns up to `maxLength` random entries of the list, joined. */
  text(list: readonly string[], maxLength: number): string
}

/** Creates random values. */
export function createRandom(seed: number): Random {
  const { whole } = createNumbers(seed)
  const below = (end: number) => whole(0, end - 1)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T // within the list, which is never empty
  return {
    below,
    chance: (probability) => below(2 ** 32) < probability * 2 ** 32,
    pick,
    text: (list, maxLength) => Array.from({ length: below(maxLength + 1) }, () => pick(list)).join(''),
  }
}
