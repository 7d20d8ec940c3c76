import { connect } from 'node:net'

/** Which connection a request to cancel is about, and where its server listens. */
export interface CancelTarget {
  /** A host name, or the folder of a Unix socket. */
  readonly host: string
  readonly port: number
  /** What the server has named the connection by; 0 where it has not yet, which cancels nothing. */
  readonly processId: number
  readonly secretKey: number
}

/** The code of CancelRequest (PostgreSQL, Message Formats). */
const cancelCode = 80_877_102

/**
 * Asks a server to cancel the statement of a connection, over a connection of its own as the protocol requires (PostgreSQL,
 * Canceling Requests in Progress). The server counts it as no backend.
 *
 * @param timeoutMs - After how long without a response the server counts as unreachable.
 * @returns whether the server has closed that connection, as it does after the signal to the backend. Never rejects.
 */
export function cancel(
  { host, port, processId, secretKey }: CancelTarget,
  timeoutMs: number,
): Promise<boolean> {
  const request = Buffer.alloc(16)
  request.writeInt32BE(request.length, 0)
  request.writeInt32BE(cancelCode, 4)
  request.writeInt32BE(processId, 8)
  request.writeInt32BE(secretKey, 12)
  return new Promise((resolve) => {
    const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
    let isSent = false
    const timer = setTimeout(() => settle(false), timeoutMs)

    function settle(isReachable: boolean): void {
      clearTimeout(timer)
      socket.destroy()
      resolve(isReachable)
    }

    socket.once('connect', () => socket.write(request, () => (isSent = true)))
    socket.once('error', () => settle(isSent)) // some servers close it with a reset
    socket.once('close', () => settle(isSent))
    socket.resume()
  })
}
