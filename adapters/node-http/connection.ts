import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What is known about a client's connection. The socket stores it. */
export interface Connection {
  /** Response to the newest request that Node has parsed. */
  latestResponse?: ServerResponse
  /** Response to the newest request that was passed to the server's listeners. */
  currentResponse?: ServerResponse
  /** Newest response that the service creates. */
  servedResponse?: ServerResponse
  /** Last response on the connection. Every later request is ignored. */
  finalResponse?: ServerResponse
  /** Parsed requests that wait until the current response is finished. */
  readonly waitingRequests: WaitingRequest[]
  clientHasEnded?: true
  /** Set by the first parse error or timeout. Later errors are ignored. */
  hasParseError?: true
  /** The newest sign of activity during a shutdown, and when it was first seen, in milliseconds. */
  lastActivity?: { readonly seen: unknown; readonly since: number }
}

/** A pipelined request that waits for the responses to earlier requests. */
export interface WaitingRequest {
  readonly res: ServerResponse
  /** Passes the request to the server's listeners. */
  passOn(): void
}

/** A hardened server's open connections. */
export interface Connections {
  readonly sockets: ReadonlySet<Socket>
  /** Whether the server is shutting down. Each connection's last response then contains `Connection: close`. */
  isClosing: boolean
  /** Whether responses during a shutdown keep connections alive. Otherwise clients would open new connections. */
  keepsConnectionsAlive: boolean
}

/** The connections for each hardened server. */
export const connectionsByServer: WeakMap<Server, Connections> = new WeakMap()

const state: unique symbol = Symbol('connection')

/** Returns the state for a socket's connection, or a new state if there is no socket. */
export function getConnection(socket: (Socket & { [state]?: Connection }) | undefined): Connection {
  if (!socket) return { waitingRequests: [] }
  socket[state] ??= { waitingRequests: [] }
  return socket[state]
}

/** Adds `Connection: close` to a response, unless its headers are already sent. */
export function setConnectionClose(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close')
}

/** Makes a response the last one on its connection. */
export function markFinalResponse(req: IncomingMessage, res: ServerResponse): void {
  getConnection(req.socket).finalResponse ??= res
  setConnectionClose(res)
}

/** Lets each connection close after its latest response. A request that arrives later extends the connection. */
export function closeAfterLatestResponses(connections: Connections): void {
  connections.isClosing = true
  for (const socket of connections.sockets) {
    const { latestResponse } = getConnection(socket)
    if (latestResponse) setConnectionClose(latestResponse)
  }
}

/** Calls `work` when a response closes, or immediately if the response is missing or already finished. */
export function runAfterResponse(res: ServerResponse | undefined, work: () => unknown): void {
  if (!res || res.writableFinished) work()
  else res.once('close', work)
}
