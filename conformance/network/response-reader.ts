import { mostOfHeaders } from '../transcript/bounds.ts'
import type { HeaderList } from '../transcript/transcript.ts'
import type { ByteReader } from './byte-reader.ts'
import { BoundedBytes, type ReadBody, truncatedBody } from './read-body.ts'

/** The status line and the headers of a response. */
export interface ResponseHead {
  readonly status: number
  readonly reason: string
  /** Names in lower case, in the order received. */
  readonly headers: HeaderList
  /** Whether the connection may be used again, as far as the head tells. */
  readonly isPersistent: boolean
}

/** A response that was read from a connection. */
export interface RawResponse extends ResponseHead {
  readonly body: ReadBody
}

/** The connection closed before the first byte of a response. */
export class ClosedFirst extends Error {}
/** What was received is no HTTP/1 response. */
export class Malformed extends Error {}

/**
 * Reads one response (RFC 9112), without its interim responses.
 *
 * @param most The most bytes of the body.
 * @param method The method of the request: a response to HEAD has no body, whatever its headers say.
 * @throws {ClosedFirst} The bytes end before they begin.
 * @throws {Malformed} The response is not HTTP/1.
 * @throws {Error} The response ends too early, or the connection fails.
 */
export async function readResponse(reader: ByteReader, most: number, method = 'GET'): Promise<RawResponse> {
  let head = await readHead(reader)
  while (head.status < 200) {
    if (head.status === 101) throw new Malformed('the response switches to another protocol (101)')
    head = await readHead(reader)
  }
  const { body, isDelimited } = await readContent(reader, head, most, method)
  return { ...head, body, isPersistent: head.isPersistent && isDelimited && !body.truncated }
}

/** Reads the head of a response, final or interim. */
export async function readHead(reader: ByteReader): Promise<ResponseHead> {
  let left = mostOfHeaders
  const nextLine = async (): Promise<string | undefined> => {
    const line = await reader.line(left).catch((error: unknown) => {
      throw error instanceof RangeError
        ? new RangeError(`the headers are larger than ${mostOfHeaders / 1024} KiB`)
        : error
    })
    left -= line === undefined ? 0 : line.length
    return line
  }
  const first = await nextLine()
  if (first === undefined) throw new ClosedFirst('the connection closed before the first line of a response')
  const [, minor, status, reason = ''] = /^HTTP\/1\.([01]) (\d{3})(?: (.*))?$/.exec(first) ?? []
  if (status === undefined)
    throw new Malformed(`the response is not HTTP/1.1: ${JSON.stringify(first.slice(0, 60))}`)
  const headers: (readonly [string, string])[] = []
  for (;;) {
    const line = await nextLine()
    if (line === undefined) throw new Error('the connection closed in the middle of the headers')
    if (line === '') break
    const last = headers.at(-1)
    // a folded line continues the value before it (RFC 9112, section 5.2)
    if (/^[ \t]/.test(line) && last !== undefined) {
      headers[headers.length - 1] = [last[0], `${last[1]} ${line.trim()}`]
      continue
    }
    const [, name, value = ''] = /^([\w!#$%&'*+.^`|~-]+):(.*)$/s.exec(line) ?? []
    if (name === undefined)
      throw new Malformed(`a header line is invalid: ${JSON.stringify(line.slice(0, 60))}`)
    headers.push([name.toLowerCase(), trimmed(value)])
  }
  return { status: Number(status), reason, headers, isPersistent: isPersistent(headers, minor === '1') }
}

/** Removes the blanks around a value. A regular expression would take quadratic time. */
function trimmed(value: string): string {
  const isBlank = (at: number): boolean => value[at] === ' ' || value[at] === '\t'
  let start = 0
  let end = value.length
  while (start < end && isBlank(start)) start += 1
  while (end > start && isBlank(end - 1)) end -= 1
  return value.slice(start, end)
}

function isPersistent(headers: HeaderList, isHttp11: boolean): boolean {
  const options = valuesOf(headers, 'connection').map((option) => option.toLowerCase())
  return !options.includes('close') && (isHttp11 || options.includes('keep-alive'))
}

/** Returns the elements of a header that is a list. */
function valuesOf(headers: HeaderList, name: string): readonly string[] {
  return headers
    .filter(([other]) => other === name)
    .flatMap(([, value]) => value.split(','))
    .map((value) => value.trim())
}

/** A body, and whether something other than the end of the connection marks its end. */
interface Content {
  readonly body: ReadBody
  readonly isDelimited: boolean
}

/** Reads the body of a response (RFC 9112, section 6.3). */
async function readContent(
  reader: ByteReader,
  { status, headers }: ResponseHead,
  most: number,
  method: string,
): Promise<Content> {
  const collected = new BoundedBytes(most)
  const whole = (isDelimited: boolean, fits: boolean): Content => ({
    body: fits ? { bytes: collected.bytes, truncated: false } : truncatedBody,
    isDelimited,
  })
  if (method === 'HEAD' || status === 204 || status === 304) return whole(true, true)
  const codings = valuesOf(headers, 'transfer-encoding').filter((coding) => coding !== '')
  if (codings.length > 0) {
    if (codings.length > 1 || codings[0]?.toLowerCase() !== 'chunked')
      throw new Malformed(`the transfer coding is not supported: ${codings.join(', ')}`)
    return whole(true, await readChunks(reader, collected))
  }
  const lengths = [...new Set(valuesOf(headers, 'content-length'))]
  const [length] = lengths
  if (length === undefined) return whole(false, await readToEnd(reader, collected))
  if (lengths.length > 1 || !/^\d+$/.test(length))
    throw new Malformed(`the Content-Length is invalid: ${lengths.join(', ')}`)
  return whole(true, await readBytes(reader, Number(length), collected))
}

/** Reads so many bytes. Returns `false` if they exceed the bound. */
async function readBytes(reader: ByteReader, length: number, collected: BoundedBytes): Promise<boolean> {
  for (let left = length; left > 0; ) {
    const bytes = await reader.some(left)
    if (bytes === undefined)
      throw new Error(`the connection closed in the middle of the body: ${left} bytes are missing`)
    if (!collected.add(bytes)) return false
    left -= bytes.byteLength
  }
  return true
}

async function readToEnd(reader: ByteReader, collected: BoundedBytes): Promise<boolean> {
  for (;;) {
    const bytes = await reader.some(Number.POSITIVE_INFINITY)
    if (bytes === undefined) return true
    if (!collected.add(bytes)) return false
  }
}

/** The most bytes of the line before a chunk, and of the trailers behind the last one. */
const mostOfChunkLine = 1024

/** Reads a chunked body and its trailers (RFC 9112, section 7.1). Returns `false` if it exceeds the bound. */
async function readChunks(reader: ByteReader, collected: BoundedBytes): Promise<boolean> {
  const nextLine = async (): Promise<string> => {
    const line = await reader.line(mostOfChunkLine)
    if (line === undefined) throw new Error('the connection closed in the middle of a chunked body')
    return line
  }
  for (;;) {
    const line = await nextLine()
    const [, size] = /^([\da-f]{1,12})[ \t]*(?:;.*)?$/i.exec(line) ?? []
    if (size === undefined)
      throw new Malformed(`the size of a chunk is invalid: ${JSON.stringify(line.slice(0, 60))}`)
    const length = Number.parseInt(size, 16)
    if (length === 0) break
    if (!(await readBytes(reader, length, collected))) return false
    if ((await nextLine()) !== '') throw new Malformed('a chunk is longer than its size')
  }
  for (let left = mostOfHeaders; ; ) {
    const { length } = await nextLine()
    if (length === 0) return true
    left -= length
    if (left < 0) throw new RangeError('the trailers are too large')
  }
}
