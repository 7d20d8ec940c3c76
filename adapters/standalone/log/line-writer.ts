import type { Writable } from 'node:stream'

export interface LineWriter {
  /** Adds a line, which is sent on with all others of this turn of the event loop. Never throws, never waits. */
  write(line: string): void
  /** Resolves when all lines are sent on, or `boundMs` later where the reader does not take them. */
  flush(boundMs: number): Promise<void>
}

export interface LineWriterOptions {
  /** How many characters wait for a slow reader at the most: further lines are lost. 1,048,576 by default. */
  readonly mostWaiting?: number
  /** The line that tells how many were lost, once the reader takes some again. */
  readonly tellLost: (lines: number) => string
}

/** Writes lines to a stream whose reader may be slow or gone: neither must hold up or end the server. */
export function createLineWriter(stream: Writable, options: LineWriterOptions): LineWriter {
  const { mostWaiting = 1_048_576, tellLost } = options
  let waiting = ''
  let lost = 0
  stream.on('error', () => {}) // nobody reads any more (EPIPE), and nobody is left to be told

  function send(): void {
    if (waiting !== '' && stream.writable) stream.write(waiting)
    waiting = ''
  }

  return {
    write(line) {
      if (waiting.length + stream.writableLength > mostWaiting) {
        lost++
        return
      }
      if (waiting === '') setImmediate(send)
      if (lost > 0) waiting += `${tellLost(lost)}\n`
      lost = 0
      waiting += `${line}\n`
    },
    flush(boundMs) {
      send()
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, boundMs)
        const settle = () => {
          clearTimeout(timer)
          resolve()
        }
        if (stream.writable) stream.write('', settle)
        else settle()
      })
    },
  }
}
