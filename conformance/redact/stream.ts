/**
 * The characters that a text says under one reading of it, each with the place in the text that says it. Characters are
 * ASCII codes; 0 stands for whatever else there is.
 */
export class Stream {
  readonly codes: Uint8Array
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  length = 0

  /** @param most The most characters that will be pushed. */
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

/** The same stream with each code replaced; those for which there is none (-1) are left out. */
export function mapped(stream: Stream, codeFor: Int16Array): Stream {
  const result = new Stream(stream.length)
  for (let at = 0; at < stream.length; at++) {
    const code = codeFor[stream.code(at)] ?? -1
    if (code >= 0) result.push(code, stream.start(at), stream.end(at))
  }
  return result
}

/** A table for `mapped`, from what it has for each ASCII character; `undefined` leaves the character out. */
export function codeTable(codeFor: (character: string) => string | undefined): Int16Array {
  return Int16Array.from(
    { length: 128 },
    (_, code) => codeFor(String.fromCharCode(code))?.charCodeAt(0) ?? -1,
  )
}

/** The characters of a stream as a text. */
export function textOf({ codes, length }: Stream): string {
  return Array.from(codes.subarray(0, length), (code) => String.fromCharCode(code)).join('')
}
