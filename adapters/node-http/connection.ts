import { AsyncResource } from 'node:async_hooks'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { runSoon } from './run-soon.ts'

/** How many requests of one connection may be without a response. The connection closes after the last of them. */
const maxUnanswered = 64

/** What is known of a connection. */
interface Connection {
  /** Its latest API key, and the hash of that. */
  token?: string
  digest?: string
  /** The response to the latest request that is handled. */
  latest?: ServerResponse
  /** How many requests wait for the response before theirs. */
  waiting: number
  /** Whether the requests from now on are not handled. */
  isFull?: true
  /** Reads all connections of its server in slices from now on; undefined where its requests are not ordered. */
  sliceAll?: () => void
  /** Whether the rest of it cannot be parsed. */
  isBroken?: true
  /** Does at once what is left to do for its latest request, and would be done later. */
  finish?: (() => void) | undefined
  /** How much of it had been read when a drain looked last, and since when that is so, in milliseconds. */
  silence?: { readonly bytesRead: number; readonly since: number }
}

const state: unique symbol = Symbol('connection')

/** Returns what is known of the connection of a socket. */
export function connectionOf(socket: Socket & { [state]?: Connection }): Connection {
  socket[state] ??= { waiting: 0 }
  return socket[state]
}

const turn: unique symbol = Symbol('turn')

/** A response whose request is not handled at once, with the end of the response before it. */
interface QueuedResponse extends ServerResponse {
  [turn]?: Promise<void>
}

/** The open connections of each server whose requests are ordered. */
export const openSockets: WeakMap<Server, ReadonlySet<Socket>> = new WeakMap()

/** How long new connections are read in slices after a client had sent too many requests at once, in milliseconds. */
const slicingMs = 60_000

/**
 * Orders the requests of each connection of a server, and bounds how many of them wait. Call it before all other
 * listeners.
 *
 * Node parses up to 64 KiB at a time: 3,600 requests, or 11,000 chunks of a body, which nothing can hold back. So the
 * first client that sends too many switches all connections, and those of the next minute, to reading in slices.
 * Before, that would take a list up to a tenth more time.
 */
export function orderRequests(server: Server, clock: () => number = () => performance.now()): void {
  const sockets = new Set<Socket>()
  openSockets.set(server, sockets)
  let slicingUntil = Number.NEGATIVE_INFINITY

  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // Node ends a connection as soon as its client has ended its side: on Windows in the phase in which data arrives.
    socket.prependListener('end', () => connectionOf(socket).finish?.())
    connectionOf(socket).sliceAll = sliceAll
    if (clock() < slicingUntil) readInSlices(socket)
  })
  server.prependListener('request', (req: IncomingMessage, res: ServerResponse) => {
    if (queue(req.socket, res)) sliceAll()
  })

  function sliceAll(): void {
    if (clock() < slicingUntil) return
    slicingUntil = clock() + slicingMs
    for (const socket of sockets) readInSlices(socket)
  }
}

/** Puts a response behind those before it on its connection. Returns whether there are too many. */
function queue(socket: Socket, res: QueuedResponse): boolean {
  const connection = connectionOf(socket)
  const { latest } = connection
  if (connection.isFull) return true
  connection.latest = res
  if (res.socket !== null || !latest || latest.writableFinished) return false
  connection.waiting++
  res[turn] = new Promise((resolve) =>
    latest.once('close', () => {
      connection.waiting--
      resolve()
    }),
  )
  if (connection.waiting + 1 < maxUnanswered) return false
  connection.isFull = true
  closeAfter(res)
  return true
}

/** The size of a slice, in bytes: 28 of the shortest requests, or 85 chunks of a body. */
const sliceBytes = 512

/** How many slices of a connection are read in one turn of the event loop. */
const slicesPerTurn = 4

/**
 * Reads a connection in slices from now on: with a listener for `readable`, a stream emits `data`, for which Node
 * listens, as often and as much as `read` is called for. The listeners of a connection that changes its protocol get
 * `data` too.
 */
function readInSlices(socket: Socket): void {
  if (socket.listenerCount('readable') > 0) return
  let isDue = false
  function read(): void {
    for (let left = slicesPerTurn; left > 0; left--) {
      if (isDue || !hasRoom(socket)) return
      const bytes = Math.min(sliceBytes, socket.readableLength)
      if (socket.read(bytes || undefined) === null) return
    }
    isDue = true
    runSoon(() => {
      isDue = false
      read()
    })
  }
  socket.on('readable', read).on('resume', read).on('drain', read)
}

/** Whether Node takes more of a connection: while it waits for a drain, it has stopped its parser. */
function hasRoom(socket: Socket): boolean {
  if (socket.writableNeedDrain) return false
  const { isFull, latest } = connectionOf(socket)
  const req = latest?.req
  return !req || req.complete ? !isFull : req.readableLength < req.readableHighWaterMark
}

/** Whether a request is one too many for its connection: its response has no turn, and it is not handled. */
export function isIgnored(req: IncomingMessage, res: QueuedResponse): boolean {
  return res.socket === null && !res[turn] && connectionOf(req.socket).isFull === true
}

/**
 * Handles a request of a server whose requests are ordered: once the system has received all responses before its own.
 * So at most one response of a connection waits for a client that does not read. On another server it is handled at
 * once.
 */
export function inTurn(
  req: IncomingMessage,
  res: QueuedResponse,
  handle: (req: IncomingMessage, res: ServerResponse) => void,
): void {
  const before = res[turn]
  if (before === undefined) handle(req, res)
  else void before.then(() => runSoon(AsyncResource.bind(start)))

  function start(): void {
    if (!req.socket.destroyed && !res.headersSent && !res.destroyed) handle(req, res)
  }
}

/** Lets the connection close after a response, unless the head of the response has been sent. */
export function closeAfter(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close')
}

/** Whether Node closes the connection after a response. */
export function closesAfter({ headers, httpVersion }: IncomingMessage, res: ServerResponse): boolean {
  if (res.getHeader('connection') === 'close') return true
  const { connection = '' } = headers
  return httpVersion === '1.0' ? !/\bkeep-alive\b/i.test(connection) : /\bclose\b/i.test(connection)
}
