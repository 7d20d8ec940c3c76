const blockBytes = 64
const rounds = 64
const hexDigits = 64

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2). */
const constants = Int32Array.from(primes(rounds), (prime) => Math.cbrt(prime) * 2 ** 32) // no element holds more bits
/** The same of the square roots of the first 8 (FIPS 180-4, 5.3.3). */
const initial = Int32Array.from(primes(8), (prime) => Math.sqrt(prime) * 2 ** 32)
/** Overwritten by every call before it reads them: +17 % CPU time of `core getPet` with new arrays. */
const hash = new Int32Array(8)
const schedule = new Int32Array(rounds)
const hexCodes = new Uint8Array(hexDigits)
const decoder = new TextDecoder()
/** The character codes of the hexadecimal digits. */
const codeOfDigit = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))

/**
 * Returns the SHA-256 of a text (FIPS 180-4). It returns without a promise, unlike Web Crypto.
 *
 * @param text ASCII characters, such as an API key.
 * @returns 64 lower-case hexadecimal digits.
 * @throws {TypeError} The text is empty or not a string.
 * @throws {RangeError} The text has other characters than ASCII.
 * @example
 * import { sha256 } from 'pet-adoption-service'
 *
 * const record = { id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }
 */
export function sha256(text: string): string {
  if (typeof text !== 'string' || text === '') throw new TypeError('sha256 requires text')
  hash.set(initial)
  const padded = Math.ceil((text.length + 9) / blockBytes) * blockBytes
  for (let start = 0; start < padded; start += blockBytes) {
    // each word is shifted to the left four times, so that nothing of the last block is left
    for (let i = 0; i < blockBytes; i++)
      schedule[i >> 2] = ((schedule[i >> 2] as number) << 8) | byteAt(text, start + i)
    if (start + blockBytes === padded) schedule[15] = text.length * 8
    compress()
  }
  for (let i = 0; i < hexDigits; i++)
    hexCodes[i] = codeOfDigit[((hash[i >> 3] as number) >>> (28 - 4 * (i & 7))) & 15] as number
  return decoder.decode(hexCodes)
}

/** Returns a byte of the text, or of the padding after it, which begins with a bit of 1 (FIPS 180-4, 5.1.1). */
function byteAt(text: string, index: number): number {
  if (index >= text.length) return index === text.length ? 0x80 : 0
  const code = text.charCodeAt(index)
  if (code > 0x7f) throw new RangeError('sha256 requires ASCII')
  return code
}

/**
 * Adds the block at the start of the schedule to the hash (FIPS 180-4, 6.2.2). The casts are safe: every index is in
 * its array. Destructuring `hash` would take 40 % more time.
 */
function compress(): void {
  for (let t = 16; t < rounds; t++) {
    const w15 = schedule[t - 15] as number
    const w2 = schedule[t - 2] as number
    const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3)
    const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10)
    schedule[t] = (schedule[t - 16] as number) + s0 + (schedule[t - 7] as number) + s1
  }
  let a = hash[0] as number
  let b = hash[1] as number
  let c = hash[2] as number
  let d = hash[3] as number
  let e = hash[4] as number
  let f = hash[5] as number
  let g = hash[6] as number
  let h = hash[7] as number
  for (let t = 0; t < rounds; t++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const choice = (e & f) ^ (~e & g)
    const t1 = h + s1 + choice + (constants[t] as number) + (schedule[t] as number)
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + s0 + majority) | 0
  }
  const worked = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i++) hash[i] = (hash[i] as number) + (worked[i] as number)
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

function primes(count: number): number[] {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n)
  return found
}
