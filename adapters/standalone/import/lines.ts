const newline = 0x0a

/**
 * Splits chunks of a file at each newline, which is left out. Of a longer line it yields only the first `maxBytes` + 1
 * bytes. It holds no more than two chunks and a line, and each byte costs the same, however the chunks are cut.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = []
  let length = 0

  /** Adds to the line as much as fits. */
  function add(part: Uint8Array): void {
    const fitting = part.subarray(0, maxBytes + 1 - length)
    if (fitting.length === 0) return
    parts.push(fitting)
    length += fitting.length
  }

  function take(): Uint8Array {
    const [first] = parts
    const line = first && parts.length === 1 ? first : Buffer.concat(parts)
    parts = []
    length = 0
    return line
  }

  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      add(chunk.subarray(start, end))
      yield take()
      start = end + 1
    }
    add(chunk.subarray(start))
  }
  if (length > 0) yield take()
}
