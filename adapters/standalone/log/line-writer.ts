import type { Writable } from 'node:stream'

/** Writes lines to a stream without waiting for its reader. */
export interface LineWriter {
  /** How many lines were not written, since the writer was created. */
  readonly linesLost: number
  /** Adds a line. All lines of one turn of the event loop are one write. Never throws, never waits. */
  write(line: string): void
  /** Resolves when all lines are written, after `boundMs` milliseconds at the latest. */
  flush(boundMs: number): Promise<void>
}

/** How many characters may wait for a slow reader; lines beyond are lost. */
const mostWaiting = 1_048_576

export interface LineWriterOptions {
  /** Returns the line that reports how many lines were lost. It precedes the next line that is written. */
  readonly lostLine: (lines: number) => string
  /** Called with the reason when lines begin to be lost, and again only after a successful write. */
  readonly onLoss?: (reason: string) => void
}

/** Creates a writer for a stream whose reader may be slow or gone, or whose disk may be full: the server goes on. */
export function createLineWriter(stream: Writable, options: LineWriterOptions): LineWriter {
  const { lostLine, onLoss } = options
  let waiting = ''
  let waitingLines = 0
  let linesLost = 0
  /** Lost lines that no line has reported yet. */
  let unreported = 0
  let isLosing = false
  stream.on('error', () => {}) // each write has a callback that handles its error

  function send(): void {
    if (waitingLines === 0 && unreported === 0) return
    const [text, lines, reported] = [waiting, waitingLines, unreported]
    waiting = ''
    waitingLines = 0
    unreported = 0
    stream.write(reported > 0 ? `${lostLine(reported)}\n${text}` : text, (error) => {
      if (error) {
        unreported += reported
        lose(lines, error.message)
      } else isLosing = false
    })
  }

  function lose(lines: number, reason: string): void {
    linesLost += lines
    unreported += lines
    if (isLosing) return
    isLosing = true
    onLoss?.(reason)
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
      if (waitingLines === 0) setImmediate(send)
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
