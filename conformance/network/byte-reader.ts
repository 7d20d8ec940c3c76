const none = new Uint8Array()
const lineFeed = 0x0a

/** Reads lines and bytes from the chunks that a connection receives. */
export class ByteReader {
  readonly #next: () => Promise<Uint8Array | undefined>
  #chunk: Uint8Array = none
  #received = 0

  /** @param next Returns the next chunk, or `undefined` at the end. Reading rejects where it rejects. */
  constructor(next: () => Promise<Uint8Array | undefined>) {
    this.#next = next
  }

  /** Whether bytes were received that nothing has read. */
  get hasMore(): boolean {
    return this.#chunk.byteLength > 0
  }

  /** The number of bytes that were received, read or not. */
  get received(): number {
    return this.#received
  }

  /** Returns at least one byte and at most `most`; `undefined` at the end. */
  async some(most: number): Promise<Uint8Array | undefined> {
    if (!(await this.#fill())) return undefined
    const taken = this.#chunk.subarray(0, most)
    this.#chunk = this.#chunk.subarray(taken.byteLength)
    return taken
  }

  /**
   * Returns the next line as Latin-1, without its line end: CRLF, or LF alone (RFC 9112, section 2.2). Returns `undefined`
   * if the bytes end first.
   *
   * @param most The most bytes of the line.
   * @throws {RangeError} The line is longer.
   */
  async line(most: number): Promise<string | undefined> {
    let line = ''
    while (await this.#fill()) {
      const end = this.#chunk.indexOf(lineFeed)
      const part = this.#chunk.subarray(0, end < 0 ? undefined : end)
      if (line.length + part.byteLength > most) throw new RangeError(`a line is longer than ${most} bytes`)
      line += latin1(part)
      this.#chunk = end < 0 ? none : this.#chunk.subarray(end + 1)
      if (end >= 0) return line.endsWith('\r') ? line.slice(0, -1) : line
    }
    return undefined
  }

  async #fill(): Promise<boolean> {
    while (this.#chunk.byteLength === 0) {
      const chunk = await this.#next()
      if (chunk === undefined) return false
      this.#chunk = chunk
      this.#received += chunk.byteLength
    }
    return true
  }
}

/** Decodes bytes one by one. `TextDecoder` reads `latin1` as windows-1252. */
function latin1(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}
