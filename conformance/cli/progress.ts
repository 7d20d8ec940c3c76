import { printable } from '../report/printable.ts'
import type { Sink } from './process-context.ts'

/** Tells of each request as it goes out, and of each wait. */
export interface Progress {
  sending(request: Request): void
  /** Takes milliseconds. */
  waiting(ms: number): void
  /** Takes the last word back, so that what follows begins on an empty line. */
  end(): void
}

/** Back to the start of the line, and clear it (ECMA-48). */
const clearLine = '\r\u001b[K'

/** A shorter wait is not worth a word, in milliseconds. */
const leastTold = 1000

/** One line that is written over again and again on a terminal; elsewhere nothing. */
export function createProgress(sink: Sink): Progress {
  if (sink.isTTY !== true) return { sending: () => {}, waiting: () => {}, end: () => {} }
  let sent = 0
  return {
    waiting(ms) {
      if (ms >= leastTold) sink.write(`${clearLine}waiting ${Math.ceil(ms / 1000)} s after request ${sent}`)
    },
    sending({ method, url }) {
      sent += 1
      // the path alone: a query may hold a key
      sink.write(`${clearLine}request ${sent}: ${method} ${printable(new URL(url).pathname)}`)
    },
    end() {
      if (sent > 0) sink.write(clearLine)
    },
  }
}
