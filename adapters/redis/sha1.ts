/** Returns the SHA-1 (FIPS 180-4) of an ASCII text in hex. It names a script in Redis, and protects nothing. */
export function sha1(text: string): string {
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]
  const words = padded(text)
  for (let start = 0; start < words.length; start += 16) compress(state, words.slice(start, start + 16))
  return state.map((word) => word.toString(16).padStart(8, '0')).join('')
}

/** The text, the bit 1, zeros, and the length of the text in bits, as words of a whole number of blocks. */
function padded(text: string): number[] {
  const words = new Array<number>(((text.length + 8) >> 6) * 16 + 16).fill(0)
  for (let i = 0; i <= text.length; i++) {
    const byte = i < text.length ? text.charCodeAt(i) : 0x80
    words[i >> 2] = at(words, i >> 2) | (byte << (24 - (i % 4) * 8))
  }
  words[words.length - 1] = text.length * 8
  return words
}

function compress(state: number[], words: number[]): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state
  for (let i = 0; i < 80; i++) {
    if (i >= 16)
      words[i] = rotated(at(words, i - 3) ^ at(words, i - 8) ^ at(words, i - 14) ^ at(words, i - 16), 1)
    const next = rotated(a, 5) + mixed(i, b, c, d) + e + at(words, i)
    ;[a, b, c, d, e] = [next | 0, a, rotated(b, 30), c, d]
  }
  for (const [i, word] of [a, b, c, d, e].entries()) state[i] = (at(state, i) + word) >>> 0
}

function mixed(i: number, b: number, c: number, d: number): number {
  if (i < 20) return ((b & c) | (~b & d)) + 0x5a827999
  if (i < 40) return (b ^ c ^ d) + 0x6ed9eba1
  if (i < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
  return (b ^ c ^ d) + 0xca62c1d6
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}

/** The types do not show that the index is within the list. */
function at(words: readonly number[], index: number): number {
  return words[index] ?? 0
}
