import { printable } from '../report/printable.ts'
import type { Sink } from './process-context.ts'

/** Shows each request and each wait while a run is under way. */
export interface Progress {
  sending(request: Request): void
  /** @param ms The length of the wait, in milliseconds. */
  waiting(ms: number): void
  /** Clears the line, so that later output starts on an empty one. */
  end(): void
}

/** Returns to the start of the line, and clears it (ECMA-48). */
const clearLine = '\r\u001b[K'

/** A shorter wait is not shown, in milliseconds. */
const shortestShown = 1000

/** Returns a progress that rewrites one line of a terminal. On any other stream it writes nothing. */
export function createProgress(sink: Sink): Progress {
  if (sink.isTTY !== true) return { sending: () => {}, waiting: () => {}, end: () => {} }
  let sent = 0
  return {
    waiting(ms) {
      if (ms >= shortestShown)
        sink.write(`${clearLine}waiting ${Math.ceil(ms / 1000)} s after request ${sent}`)
    },
    sending({ method, url }) {
      sent += 1
      // only the path, as a query may contain a key
      sink.write(`${clearLine}request ${sent}: ${method} ${printable(new URL(url).pathname)}`)
    },
    end() {
      if (sent > 0) sink.write(clearLine)
    },
  }
}
