import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { HeaderList } from '../transcript/transcript.ts'
import { type BodyBytes, type Deadline, truncatedBody } from './read-body.ts'

const decoders: ReadonlyMap<string, typeof gunzipSync> = new Map([
  ['gzip', gunzipSync],
  // the same coding under an older name (RFC 9110, section 8.4.1.3)
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
])

/**
 * Maximum number of content codings that are decoded. Decoding blocks the process for a few milliseconds per coding.
 */
const maxCodings = 4

/**
 * Decodes the content codings of a body (RFC 9110, section 8.4), the last one first. The suite does not accept any
 * coding, but some servers apply one. Unknown codings are left as they are.
 *
 * @param maxBytes Maximum size after each decoding, in bytes. A larger body is truncated.
 * @throws {Error} if a coding does not match the bytes, there are too many codings, or the deadline has passed.
 */
export function decodeBody(
  body: BodyBytes,
  headers: HeaderList,
  maxBytes: number,
  deadline: Deadline,
): BodyBytes {
  const codings = headers
    .filter(([name]) => name === 'content-encoding')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (codings.length > maxCodings)
    throw new Error(`the body has ${codings.length} content codings; the suite decodes at most ${maxCodings}`)
  let { bytes } = body
  for (const coding of codings.toReversed()) {
    const decodeCoding = decoders.get(coding)
    if (decodeCoding === undefined || bytes.byteLength === 0) break
    deadline.throwIfPassed()
    try {
      bytes = new Uint8Array(decodeCoding(bytes, { maxOutputLength: Math.max(1, maxBytes) }))
    } catch (error) {
      // the decoder's error for `maxOutputLength`
      if (error instanceof RangeError) return truncatedBody
      throw new Error(`the body is not valid ${coding}, although it is the Content-Encoding`)
    }
  }
  return { ...body, bytes }
}
