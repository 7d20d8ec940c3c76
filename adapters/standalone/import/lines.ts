const newline = 0x0a
const [space, tab, carriageReturn] = [0x20, 0x09, 0x0d]

/** A line of a file that is not blank. */
export interface Line {
  /** 1 for the first line of the file; blank lines count. */
  readonly number: number
  readonly bytes: Uint8Array
}

/**
 * Splits chunks of a file into lines without their newlines, and skips blank lines. A line longer than `maxBytes` is
 * cut to `maxBytes` + 1 bytes. Memory is at most two chunks and a line; time is linear, wherever the chunks end.
 */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Line> {
  let parts: Uint8Array[] = []
  let length = 0
  let number = 1

  /** Adds to the line as much as fits. */
  function add(part: Uint8Array): void {
    const fitting = part.subarray(0, maxBytes + 1 - length)
    if (fitting.length === 0) return
    parts.push(fitting)
    length += fitting.length
  }

  /** Ends the line. Returns undefined for a blank one. */
  function endLine(): Line | undefined {
    const [first] = parts
    const bytes = first && parts.length === 1 ? first : Buffer.concat(parts)
    parts = []
    length = 0
    const line = isBlank(bytes) ? undefined : { number, bytes }
    number++
    return line
  }

  for await (const chunk of chunks) {
    let start = 0
    for (;;) {
      // An empty line costs no search: a file may consist of them.
      while (length === 0 && chunk[start] === newline) {
        start++
        number++
      }
      const end = chunk.indexOf(newline, start)
      if (end < 0) break
      add(chunk.subarray(start, end))
      const line = endLine()
      if (line) yield line
      start = end + 1
    }
    add(chunk.subarray(start))
  }
  const line = endLine()
  if (line) yield line
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === space || byte === tab || byte === carriageReturn)
}
