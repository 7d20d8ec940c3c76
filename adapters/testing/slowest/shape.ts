import type { Random } from '../fuzz/random.ts'
import type { Place } from './places.ts'

/** A text of any length: some tokens, then a repeated unit, then a closer as often. */
export interface Shape {
  readonly before: string
  readonly lead: readonly string[]
  readonly unit: readonly string[]
  readonly closer: readonly string[]
  readonly after: string
}

/** Returns a random shape of a place's tokens. */
export function randomShape(random: Random, { tokens, frames }: Place): Shape {
  const some = (most: number) => Array.from({ length: random.below(most + 1) }, () => random.pick(tokens))
  const [before, after] = random.pick(frames)
  const closer = random.chance(0.2) ? some(2) : []
  return { before, lead: some(2), unit: [random.pick(tokens), ...some(3)], closer, after }
}

/** Returns the longest text of a shape that fits in `maxBytes` bytes of UTF-8. */
export function textOf({ before, lead, unit, closer, after }: Shape, maxBytes: number): string {
  const start = before + lead.join('')
  const [opened, closed] = [unit.join(''), closer.join('')]
  const room = maxBytes - Buffer.byteLength(start + after)
  const times = Math.floor(room / Math.max(1, Buffer.byteLength(opened + closed)))
  return start + opened.repeat(times) + closed.repeat(times) + after
}

/** Returns a shape as a line of text. */
export function describe({ before, lead, unit, closer, after }: Shape): string {
  const start = before + lead.join('')
  const parts = [
    start && JSON.stringify(start),
    `${JSON.stringify(unit.join(''))} repeated`,
    closer.length > 0 && `${JSON.stringify(closer.join(''))} as often`,
    after && JSON.stringify(after),
  ]
  return parts.filter(Boolean).join(' + ')
}
