import { digitOf } from './digits.ts'
import type { Finder } from './finder.ts'

/**
 * Reads the hexadecimal digits of a text, whatever stands between them, as bytes. A byte can start with every digit: one
 * finder receives the bytes that start with the first, third and so on, and the other one the rest. `0x` is no digit.
 */
export function readHex(text: string, [first, second]: readonly [Finder, Finder]): void {
  let [finder, other] = [second, first]
  let digit = 0
  let start = -1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const value = digitOf(code)
    if (value === 16) continue
    if (value === 0 && (text.charCodeAt(at + 1) | 0x20) === 0x78) {
      at += 1
      continue
    }
    if (start >= 0) finder.push((digit << 4) | value, start, at + 1)
    digit = value
    start = at
    ;[finder, other] = [other, finder]
  }
}

/**
 * Reads the whole numbers of a text as codes of characters. One finder receives all of them. In {"0":112,"1":97}, every
 * other number is a code: two further finders receive the numbers in turn.
 */
export function readNumbers(
  text: string,
  radix: 8 | 10,
  [every, even, odd]: readonly [Finder, Finder, Finder],
): void {
  let [finder, other] = [even, odd]
  for (let at = 0; at < text.length; at++) {
    if (digitOf(text.charCodeAt(at)) >= radix) continue
    const start = at
    let value = 0
    for (let digit = 0; ; at++) {
      digit = digitOf(text.charCodeAt(at))
      if (!(digit < radix)) break
      // no more than a byte, however many digits
      value = Math.min(128, value * radix + digit)
    }
    every.push(value, start, at)
    finder.push(value, start, at)
    ;[finder, other] = [other, finder]
  }
}
