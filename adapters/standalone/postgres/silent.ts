import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from './connection.ts'

/** The pauses between two requests to cancel, and until their effect, in milliseconds. */
const pauseMs = 500

/**
 * Ends a connection and resolves when the server has closed it. A statement on it is cancelled until the server has responded.
 * A server that was unreachable meanwhile, and responds again, may have lost the connection: it is broken then.
 *
 * @param onUnreachable - Called whenever the server accepts no request to cancel.
 */
export async function endSilent(connection: Connection, onUnreachable: () => void): Promise<void> {
  let isClosed = false
  let wasUnreachable = false
  const closed = connection.closed.then(() => {
    isClosed = true
  })
  const pause = () => Promise.race([closed, sleep(pauseMs, undefined, { ref: false })])

  connection.end()
  await pause()
  while (!isClosed) {
    if (!(await connection.cancel())) {
      wasUnreachable = true
      if (!isClosed) onUnreachable()
    } else {
      await pause()
      if (!isClosed && wasUnreachable) connection.break()
    }
    await pause()
  }
}
