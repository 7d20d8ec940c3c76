import type { Writable } from 'node:stream'

/** Writes lines to a stream and never waits for its reader. */
export interface LineWriter {
  /** How many lines could not be written. */
  readonly linesLost: number
  /** Adds a line, which is written with the next lines within 5 ms. Never throws. */
  write(line: string): void
  /** Resolves when all lines are written, or after `timeoutMs` milliseconds. */
  flush(timeoutMs: number): Promise<void>
}

/** How many characters may wait for a slow reader. Lines beyond it are lost. */
const maxPendingLength = 1_048_576

/**
 * How long a line waits for others, in milliseconds. One write per event loop turn costs 8 % (list of 20 with 4 or 32
 * connections).
 */
const collectMs = 5

/**
 * Creates a line writer. The server continues if the reader is slow or gone, or the disk is full.
 *
 * @param onLoss - Called with the reason when lines start to get lost. After a successful write, the next loss is
 * reported again.
 */
export function createLineWriter(stream: Writable, onLoss: (reason: string) => void = () => {}): LineWriter {
  let pending = ''
  let pendingLines = 0
  let linesLost = 0
  let isLosing = false
  stream.on('error', () => {}) // each write's callback handles its error

  function send(): void {
    if (pendingLines === 0) return
    const [text, lines] = [pending, pendingLines]
    pending = ''
    pendingLines = 0
    stream.write(text, (error) => {
      if (error) lose(lines, error.message)
      else isLosing = false
    })
  }

  function lose(lines: number, reason: string): void {
    linesLost += lines
    if (!isLosing) onLoss(reason)
    isLosing = true
  }

  return {
    get linesLost() {
      return linesLost
    },
    write(line) {
      if (pending.length + stream.writableLength > maxPendingLength) {
        lose(1, 'the reader is too slow')
        return
      }
      if (pendingLines === 0) setTimeout(send, collectMs)
      pending += `${line}\n`
      pendingLines++
    },
    flush(timeoutMs) {
      send()
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, timeoutMs)
        stream.write('', () => {
          clearTimeout(timer)
          resolve()
        })
      })
    },
  }
}
