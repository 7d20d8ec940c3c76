import type { Writable } from 'node:stream'
import { runNextTurn } from '../../event-loop/index.ts'

/** Writes lines to a stream without waiting for its reader. */
export interface LineWriter {
  /** Number of lines that were not written. */
  readonly linesLost: number
  /** Adds a line. All lines of one turn of the event loop are one write. Never throws, never waits. */
  write(line: string): void
  /** Resolves when all lines are written, after `boundMs` milliseconds at the latest. */
  flush(boundMs: number): Promise<void>
}

/** Maximum number of characters that wait for a slow reader. Further lines are lost. */
const mostWaiting = 1_048_576

/**
 * Creates a writer for a stream whose reader may be slow or gone, or whose disk may be full: the server goes on.
 *
 * @param onLoss - Called with the reason when lines begin to be lost, and again only after a successful write.
 */
export function createLineWriter(stream: Writable, onLoss: (reason: string) => void = () => {}): LineWriter {
  let waiting = ''
  let waitingLines = 0
  let linesLost = 0
  let isLosing = false
  stream.on('error', () => {}) // each write has a callback that handles its error

  function send(): void {
    if (waitingLines === 0) return
    const [text, lines] = [waiting, waitingLines]
    waiting = ''
    waitingLines = 0
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
      if (waiting.length + stream.writableLength > mostWaiting) {
        lose(1, 'its reader is too slow')
        return
      }
      if (waitingLines === 0) runNextTurn(send)
      waiting += `${line}\n`
      waitingLines++
    },
    flush(boundMs) {
      send()
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, boundMs)
        stream.write('', () => {
          clearTimeout(timer)
          resolve()
        })
      })
    },
  }
}
