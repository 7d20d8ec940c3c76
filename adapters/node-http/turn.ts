import { AsyncResource } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { soon } from './soon.ts'

/**
 * Handles a request at once where nothing is due on its connection before it, else when all responses before it have
 * been handed to the system: so no more than one response of a connection waits for a client that does not read.
 */
export function inTurn(
  req: IncomingMessage,
  res: ServerResponse,
  handle: (req: IncomingMessage, res: ServerResponse) => void,
): void {
  // Node gives a response the socket when it is its turn; until then the one before it is the socket's message.
  const { _httpMessage } = req.socket as typeof req.socket & { readonly _httpMessage?: object | null } // not declared
  if (res.socket !== null || !_httpMessage) {
    handle(req, res)
    return
  }
  const start = AsyncResource.bind(() => {
    if (!res.headersSent && !res.destroyed) handle(req, res)
  })
  res.once('socket', () => soon(start))
}
