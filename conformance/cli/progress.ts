import { printable } from '../report/printable.ts'
import type { Sink } from './surroundings.ts'

/** Tells of each request as it goes out. */
export interface Progress {
  sending(request: Request): void
  /** Takes the last word back, so that what follows begins on an empty line. */
  end(): void
}

/** Back to the start of the line, and clear it (ECMA-48). */
const CLEAR = '\r\u001b[K'

/** One line that is written over again and again on a terminal; elsewhere nothing. */
export function createProgress(sink: Sink): Progress {
  if (sink.isTTY !== true) return { sending: () => {}, end: () => {} }
  let sent = 0
  return {
    sending({ method, url }) {
      sent += 1
      // the path alone: a query may hold a key
      sink.write(`${CLEAR}request ${sent}: ${method} ${printable(new URL(url).pathname)}`)
    },
    end() {
      if (sent > 0) sink.write(CLEAR)
    },
  }
}
