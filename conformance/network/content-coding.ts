import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { HeaderList } from '../transcript/transcript.ts'
import { type ReadBody, truncatedBody } from './read-body.ts'

const decoders: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/**
 * Returns the body without its content codings (RFC 9110, section 8.4). No request accepts one, but servers apply them
 * nevertheless. Bytes in an unknown coding are returned as they are.
 *
 * @param most The most bytes of the decoded body; a longer one counts as truncated.
 * @throws {Error} The bytes are not in the coding that the headers state.
 */
export function decoded(body: ReadBody, headers: HeaderList, most: number): ReadBody {
  const codings = headers
    .filter(([name]) => name === 'content-encoding')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  let { bytes, truncated } = body
  for (const coding of codings.reverse()) {
    const decode = decoders[coding]
    if (decode === undefined || truncated || bytes.byteLength === 0) return { bytes, truncated }
    try {
      bytes = new Uint8Array(decode(bytes, { maxOutputLength: Math.max(1, most) }))
    } catch (error) {
      // a RangeError is about the length
      if (error instanceof RangeError) return truncatedBody
      throw new Error(`the body is not in the content coding ${coding}, which its headers state`)
    }
    truncated = bytes.byteLength > most
  }
  return truncated ? truncatedBody : { bytes, truncated }
}
