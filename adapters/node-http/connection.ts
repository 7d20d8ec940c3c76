import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createClientReader, ExpiringMap } from '../../core/internal.ts'

/** Maximum number of requests of a connection without a response. One more destroys the connection. */
const maxPending = 64

/** The state of a connection. */
interface Connection {
  /** The response to the latest request so far. */
  latest?: ServerResponse
  /** The response after which the connection closes. Requests after that one are ignored. */
  final?: ServerResponse
  /** Number of requests that wait for the response before theirs. */
  waiting: number
  /** True if the rest of it is not read. */
  isStopped?: true
  /** True if it is read in slices. */
  isSliced?: true
  /** Reads the connections of its client in slices from now on. Undefined if its requests are not ordered. */
  sliceClient?: (socket: Socket) => void
  /** True if the rest of it cannot be parsed. */
  isBroken?: true
  /** Latest progress that a drain has seen, and the time since then, in milliseconds. */
  silence?: { readonly seen: unknown; readonly since: number }
}

const state: unique symbol = Symbol('connection')

/** Returns the state of the connection of a socket. */
export function getConnection(socket: Socket & { [state]?: Connection }): Connection {
  socket[state] ??= { waiting: 0 }
  return socket[state]
}

const previous: unique symbol = Symbol('previous')

/** A response, with a promise that resolves when the response before it on its connection has ended. */
interface QueuedResponse extends ServerResponse {
  [previous]?: Promise<void>
}

/** The open connections of each server whose requests are ordered. */
export const openSockets: WeakMap<Server, ReadonlySet<Socket>> = new WeakMap()

/** Time that a client that sent too much is read in slices, in milliseconds. */
const slicedForMs = 60_000
/** Maximum number of such clients that are stored. */
const maxFlooders = 10_000

/**
 * Orders the requests of each connection of a server, and destroys a connection with too many. Call it before all other
 * listeners.
 *
 * Node parses up to 64 KiB at a time: 2,000 requests before the 65th destroys the connection, or 11,000 chunks of a
 * body. Such a client is read in slices from then on. Slices for everyone would take a getPet 15 % more time.
 */
export function orderRequests(server: Server): void {
  const sockets = new Set<Socket>()
  /** The times when clients stop being read in slices. */
  const flooders = new ExpiringMap<number>(maxFlooders)
  openSockets.set(server, sockets)
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    stayWritable(socket)
    getConnection(socket).sliceClient = sliceClient
    if (flooders.size > 0 && performance.now() < (flooders.get(readClient(socket)) ?? 0)) readInSlices(socket)
  })
  server.prependListener('request', (req: IncomingMessage, res: ServerResponse) => queueResponse(req, res))

  function sliceClient(socket: Socket): void {
    if (getConnection(socket).isSliced) return
    const client = readClient(socket)
    const now = performance.now()
    flooders.set(client, now + slicedForMs, now, now + slicedForMs)
    for (const other of sockets) if (readClient(other) === client) readInSlices(other)
  }
}

const readAddress = createClientReader()

function readClient({ remoteAddress }: Socket): string {
  return readAddress({ client: remoteAddress, header: () => undefined })
}

/** Maximum number of bytes of a slice: 68 of the shortest requests, or 341 chunks of a body. */
const sliceBytes = 2_048
/** The same in a body of declared length, which has no chunks (-30 % createPet with 30 kB). */
const bodySliceBytes = 8_192

/**
 * Reads a connection in slices from now on. If a stream has a listener of `readable`, each call of `read` emits `data`,
 * which Node parses. After an upgrade, the new listeners get `data` too.
 */
function readInSlices(socket: Socket): void {
  const connection = getConnection(socket)
  if (connection.isSliced) return
  connection.isSliced = true
  function read(): void {
    const bytes = Math.min(findMaxSlice(socket), socket.readableLength)
    if (bytes === 0) return
    socket.read(bytes)
    // The readers of a body get its chunks before the next slice.
    process.nextTick(read)
  }
  socket.on('readable', read).on('resume', read).on('drain', read)
}

/** Returns the maximum number of bytes of the next slice; 0 while Node, or the reader of a body, takes none. */
function findMaxSlice(socket: Socket): number {
  const { isStopped, latest } = getConnection(socket)
  if (isStopped || socket.destroyed || socket.writableNeedDrain) return 0 // Node stops its parser until `drain`
  const req = latest?.req
  if (!req || req.complete) return sliceBytes
  if (req.readableLength >= req.readableHighWaterMark) return 0
  return req.headers['content-length'] === undefined ? sliceBytes : bodySliceBytes
}

/**
 * Lets a client that has ended its side receive the responses to its requests. Node's own listener of `end` would end
 * the connection, and lose the responses that are not written yet: while it runs, `socket.end` does nothing.
 */
function stayWritable(socket: Socket): void {
  socket.prependListener('end', () => {
    const { latest } = getConnection(socket)
    if (!latest || latest.writableFinished) return
    closeAfter(latest)
    latest.once('close', () => socket.destroySoon())
    socket.end = () => socket
  })
  socket.on('end', () => Reflect.deleteProperty(socket, 'end'))
}

/** Lets a response wait until the one before it on its connection has ended. */
function queueResponse(req: IncomingMessage, res: QueuedResponse): void {
  const connection = getConnection(req.socket)
  const { latest } = connection
  if (isIgnored(req, res)) return
  // A response has no socket until the ones before it are sent.
  if (res.socket === null && latest && !latest.writableFinished) {
    if (connection.waiting + 1 >= maxPending) {
      connection.final = latest
      connection.sliceClient?.(req.socket)
      req.socket.destroy()
      return
    }
    connection.waiting++
    res[previous] = new Promise((resolve) =>
      latest.once('close', () => {
        connection.waiting--
        resolve()
      }),
    )
  }
  connection.latest = res
}

/** Returns whether a request came after the final one of its connection. It gets no response. */
export function isIgnored(req: IncomingMessage, res: ServerResponse): boolean {
  const { final } = getConnection(req.socket)
  return final !== undefined && final !== res
}

/**
 * Resolves when the system has received all earlier responses of the connection, so at most one response waits for a
 * client that does not read. Undefined if there is no earlier response, or if requests are not ordered.
 */
export function waitForPrevious(res: QueuedResponse): Promise<void> | undefined {
  return res[previous]
}

/** Lets the connection close after a response, unless the head of the response has been sent. */
export function closeAfter(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close')
}

/** Makes a request the final one of its connection. */
export function makeFinal(req: IncomingMessage, res: ServerResponse): void {
  getConnection(req.socket).final ??= res
  closeAfter(res)
}

/** Returns whether Node closes the connection after a response. */
export function willCloseAfter({ headers, httpVersion }: IncomingMessage, res: ServerResponse): boolean {
  if (res.getHeader('connection') === 'close') return true
  const { connection = '' } = headers
  return httpVersion === '1.0' ? !/\bkeep-alive\b/i.test(connection) : /\bclose\b/i.test(connection)
}
