const blockBytes = 64
const rounds = 64
const hexDigits = 64

/** Round constants: the fractional parts of the first 64 primes' cube roots (FIPS 180-4, 4.2.2). */
// `Int32Array` stores only the low 32 bits, the fraction.
const roundConstants = Int32Array.from(listPrimes(rounds), (prime) => Math.cbrt(prime) * 2 ** 32)
/** Initial hash value: the fractional parts of the first 8 primes' square roots (FIPS 180-4, 5.3.3). */
const initialHash = Int32Array.from(listPrimes(8), (prime) => Math.sqrt(prime) * 2 ** 32)
/**
 * All calls share these arrays, and overwrite them before reading. New arrays for each call would take 17 % more CPU
 * time in `core getPet`.
 */
const hash = new Int32Array(8)
const schedule = new Int32Array(rounds)
const hexCodes = new Uint8Array(hexDigits)
const decoder = new TextDecoder()
/** ASCII codes for the hexadecimal digits. */
const digitCodes = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))

/**
 * Returns the SHA-256 hash of an ASCII string (FIPS 180-4). Unlike Web Crypto, it returns the hash without a promise.
 *
 * @param text - ASCII characters, such as an API key.
 * @returns 64 lower-case hexadecimal digits.
 * @throws {TypeError} If `text` is not a string or is empty.
 * @throws {RangeError} If `text` has a character outside ASCII.
 *
 * @example
 * import { sha256 } from 'pet-adoption-service'
 *
 * const record = { id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }
 */
export function sha256(text: string): string {
  if (typeof text !== 'string' || text === '') throw new TypeError('sha256 requires text')
  hash.set(initialHash)
  const paddedLength = Math.ceil((text.length + 9) / blockBytes) * blockBytes
  for (let start = 0; start < paddedLength; start += blockBytes) {
    // Each word is shifted to the left four times, so nothing from the previous block is left.
    for (let i = 0; i < blockBytes; i++)
      schedule[i >> 2] = ((schedule[i >> 2] as number) << 8) | readPaddedByte(text, start + i)
    if (start + blockBytes === paddedLength) schedule[15] = text.length * 8
    compressBlock()
  }
  for (let i = 0; i < hexDigits; i++)
    hexCodes[i] = digitCodes[((hash[i >> 3] as number) >>> (28 - 4 * (i & 7))) & 15] as number
  return decoder.decode(hexCodes)
}

/** Returns a byte from the padded message: the text, then 0x80, then zeros (FIPS 180-4, 5.1.1). */
function readPaddedByte(text: string, index: number): number {
  if (index >= text.length) return index === text.length ? 0x80 : 0
  const characterCode = text.charCodeAt(index)
  if (characterCode > 0x7f) throw new RangeError('sha256 requires ASCII')
  return characterCode
}

/**
 * Adds one block to the hash (FIPS 180-4, 6.2.2). Every index is within its array, so the casts are safe. Destructuring
 * `hash` would take 40 % more time.
 */
function compressBlock(): void {
  for (let t = 16; t < rounds; t++) {
    const w15 = schedule[t - 15] as number
    const w2 = schedule[t - 2] as number
    const s0 = rotateRight(w15, 7) ^ rotateRight(w15, 18) ^ (w15 >>> 3)
    const s1 = rotateRight(w2, 17) ^ rotateRight(w2, 19) ^ (w2 >>> 10)
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
    const s1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)
    const choiceBits = (e & f) ^ (~e & g)
    const t1 = h + s1 + choiceBits + (roundConstants[t] as number) + (schedule[t] as number)
    const s0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)
    const majorityBits = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + s0 + majorityBits) | 0
  }
  const workingVariables = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i++) hash[i] = (hash[i] as number) + (workingVariables[i] as number)
}

function rotateRight(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

function listPrimes(count: number): number[] {
  const foundPrimes: number[] = []
  for (let n = 2; foundPrimes.length < count; n++)
    if (foundPrimes.every((prime) => n % prime !== 0)) foundPrimes.push(n)
  return foundPrimes
}
