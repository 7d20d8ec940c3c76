import { AsyncResource } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { runSoon } from './run-soon.ts'

/**
 * Handles a request at once if its connection has no response before it, else once the system has received all responses
 * before it. So at most one response of a connection waits for a client that does not read.
 */
export function inTurn(
  req: IncomingMessage,
  res: ServerResponse,
  handle: (req: IncomingMessage, res: ServerResponse) => void,
): void {
  // Node gives a response the socket in its turn. Until then the response before it is the socket's message.
  const { _httpMessage } = req.socket as typeof req.socket & { readonly _httpMessage?: object | null } // not declared
  if (res.socket !== null || !_httpMessage) {
    handle(req, res)
    return
  }
  const start = AsyncResource.bind(() => {
    if (!res.headersSent && !res.destroyed) handle(req, res)
  })
  res.once('socket', () => runSoon(start))
}
