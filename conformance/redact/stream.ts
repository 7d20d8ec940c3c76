/**
 * The characters of a text under one reading, each with its place in the text. Characters are ASCII codes; 0 stands for
 * every other character.
 */
export class Stream {
  readonly codes: Uint8Array
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  length = 0

  /** @param most The most characters that the stream can have. */
  constructor(most: number) {
    this.codes = new Uint8Array(most)
    this.starts = new Uint32Array(most)
    this.ends = new Uint32Array(most)
  }

  push(code: number, start: number, end: number): void {
    this.codes[this.length] = code < 128 ? code : 0
    this.starts[this.length] = start
    this.ends[this.length] = end
    this.length += 1
  }

  code(at: number): number {
    return this.codes[at] ?? 0
  }

  start(at: number): number {
    return this.starts[at] ?? 0
  }

  end(at: number): number {
    return this.ends[at] ?? 0
  }
}

/** Returns a stream in which a table replaces each code. Codes for which the table has -1 are left out. */
export function mapped(stream: Stream, codeFor: Int16Array): Stream {
  const result = new Stream(stream.length)
  for (let at = 0; at < stream.length; at++) {
    const code = codeFor[stream.code(at)] ?? -1
    if (code >= 0) result.push(code, stream.start(at), stream.end(at))
  }
  return result
}

/** Returns a table for `mapped`. For `undefined`, the character is left out. */
export function codeTable(codeFor: (character: string) => string | undefined): Int16Array {
  return Int16Array.from(
    { length: 128 },
    (_, code) => codeFor(String.fromCharCode(code))?.charCodeAt(0) ?? -1,
  )
}

/** Returns the characters of a stream as a text. */
export function textOf({ codes, length }: Stream): string {
  return Array.from(codes.subarray(0, length), (code) => String.fromCharCode(code)).join('')
}
