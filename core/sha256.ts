const blockBytes = 64
const rounds = 64

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2). */
const constants = words(primes(rounds).map((prime) => fraction(Math.cbrt(prime))))
/** The same of the square roots of the first 8 (FIPS 180-4, 5.3.3). */
const initial = primes(8).map((prime) => fraction(Math.sqrt(prime)))
/** The message schedule of the block at work: nothing of it outlives a call. */
const schedule = words(new Array<number>(rounds).fill(0))

/**
 * The SHA-256 of a text's UTF-8 bytes, as 64 lower-case hexadecimal digits (FIPS 180-4). It answers at once, which
 * Web Crypto does not: a key is looked up without waiting.
 */
export function sha256(text: string): string {
  const message = new TextEncoder().encode(text)
  const padded = new DataView(new ArrayBuffer(Math.ceil((message.length + 9) / blockBytes) * blockBytes))
  new Uint8Array(padded.buffer).set(message)
  padded.setUint8(message.length, 0x80)
  padded.setUint32(padded.byteLength - 4, message.length * 8)

  let hash = initial
  for (let start = 0; start < padded.byteLength; start += blockBytes) hash = compress(hash, padded, start)
  return hash.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

/** FIPS 180-4, 6.2.2: one block worked into the hash so far. */
function compress(hash: readonly number[], block: DataView, start: number): number[] {
  for (let t = 0; t < 16; t++) schedule.setInt32(t * 4, block.getInt32(start + t * 4))
  for (let t = 16; t < rounds; t++) {
    const w15 = schedule.getInt32((t - 15) * 4)
    const w2 = schedule.getInt32((t - 2) * 4)
    const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3)
    const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10)
    schedule.setInt32(t * 4, schedule.getInt32((t - 16) * 4) + s0 + schedule.getInt32((t - 7) * 4) + s1)
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash
  for (let t = 0; t < rounds; t++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const choice = (e & f) ^ (~e & g)
    const t1 = (h + s1 + choice + constants.getInt32(t * 4) + schedule.getInt32(t * 4)) | 0
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
  return [a, b, c, d, e, f, g, h].map((word, i) => (word + (hash[i] ?? 0)) | 0)
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

function fraction(root: number): number {
  return Math.floor((root % 1) * 2 ** 32) | 0
}

function words(values: readonly number[]): DataView {
  const view = new DataView(new ArrayBuffer(values.length * 4))
  values.forEach((value, i) => {
    view.setInt32(i * 4, value)
  })
  return view
}

function primes(count: number): number[] {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n)
  return found
}
