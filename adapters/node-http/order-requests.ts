import { AsyncResource } from 'node:async_hooks'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { waitForEndOfTurn } from '../event-loop/index.ts'
import {
  type Connection,
  type Connections,
  connectionsByServer,
  getConnection,
  runAfterResponse,
  setConnectionClose,
} from './connection.ts'
import { GrowingBuffer } from './growing-buffer.ts'
import { estimateHeadMemory, hasBody } from './head.ts'

/** Limits for pipelined requests on a connection: all requests, requests with a body, and memory for heads in bytes. */
const [maxPendingRequests, maxPendingBodies, maxPendingHeadBytes] = [16, 1, 65_536]

/** Server events that pass a request and its response to a listener. */
const requestEvents: ReadonlySet<string> = new Set(['request', 'checkContinue', 'checkExpectation'])

/** Server events whose listener takes over the socket. */
const takeoverEvents: ReadonlySet<string> = new Set(['upgrade', 'connect'])

/**
 * Passes pipelined requests to the server's listeners one at a time: each when the previous response has ended. Call it
 * before the server listens.
 *
 * Responses keep their order, no listener receives a request after the final one, and waiting requests take limited
 * memory. Node parses up to 64 KiB at a time, which can be 2,000 requests, even if the 17th destroys the connection.
 */
export function orderRequests(server: Server): Connections {
  const sockets = new Set<Socket>()
  const connections: Connections = { sockets, isClosing: false, keepsConnectionsAlive: false }
  connectionsByServer.set(server, connections)
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      getConnection(socket).waitingRequests.length = 0 // frees their memory, even if the current response takes long
    })
    keepWritable(socket)
  })

  const emit: (event: string, ...args: unknown[]) => boolean = server.emit.bind(server)
  server.emit = (event: string, ...args: unknown[]) => {
    const [req, res] = args as [IncomingMessage, ServerResponse] // arguments of the events below
    if (requestEvents.has(event)) return receiveRequest(event, req, res)
    if (!takeoverEvents.has(event)) return emit(event, ...args)
    const connection = getConnection(req.socket)
    req.socket.on('error', () => {}) // Node has removed its own listener
    runAfterResponse(connection.latestResponse, () => connection.finalResponse || emit(event, ...args))
    return true
  }
  return connections

  function receiveRequest(event: string, req: IncomingMessage, res: ServerResponse): boolean {
    const connection = getConnection(req.socket)
    const { latestResponse, currentResponse, waitingRequests, finalResponse } = connection
    if (currentResponse === res) return emit(event, req, res) // a `checkContinue` listener emits `request`
    if (finalResponse) return true
    if (connections.isClosing && latestResponse && !latestResponse.headersSent)
      latestResponse.removeHeader('Connection')
    connection.latestResponse = res
    // Node gives a response its socket when all earlier responses are finished.
    if (res.socket !== null || !currentResponse) return pass(event, req, res)
    if (exceedsPendingLimits([currentResponse.req, ...waitingRequests.map((each) => each.res.req), req])) {
      connection.finalResponse = currentResponse
      destroyWithoutStacks(req.socket)
      return true
    }
    const releaseBody = hasBody(req) ? holdBody(req) : undefined
    const passOn = AsyncResource.bind(() => {
      releaseBody?.()
      pass(event, req, res)
    })
    waitingRequests.push({ res, passOn })
    if (waitingRequests.length === 1)
      currentResponse.once('close', () => passNextRequest(connection, req.socket))
    return true
  }

  /**
   * Passes a request to the listeners. During a shutdown this waits until the turn ends, when the connection's latest
   * request is known.
   */
  function pass(event: string, req: IncomingMessage, res: ServerResponse): boolean {
    const connection = getConnection(req.socket)
    connection.currentResponse = res
    if (!connections.isClosing) return emit(event, req, res)
    void waitForEndOfTurn().then(() => {
      if (connection.latestResponse === res && !connections.keepsConnectionsAlive) setConnectionClose(res)
      emit(event, req, res)
    })
    return true
  }
}

/** Passes on the next waiting request, unless the connection is closed. */
function passNextRequest(connection: Connection, socket: Socket): void {
  const next = connection.waitingRequests.shift()
  if (!next || socket.destroyed || connection.finalResponse) return
  if (connection.waitingRequests.length > 0) next.res.once('close', () => passNextRequest(connection, socket))
  next.passOn()
  if (connection.clientHasEnded) endUnlessServed(connection, socket)
}

/** Returns whether pipelined requests exceed a limit. */
function exceedsPendingLimits(requests: readonly IncomingMessage[]): boolean {
  const headBytes = requests.reduce((sum, req) => sum + estimateHeadMemory(req), 0)
  const bodies = requests.filter(hasBody).length
  return requests.length > maxPendingRequests || bodies > maxPendingBodies || headBytes > maxPendingHeadBytes
}

/**
 * Destroys a connection. Node then creates an error for each request that it has parsed: 2,000 errors with stacks would
 * take 15 ms.
 */
function destroyWithoutStacks(socket: Socket): void {
  socket.prependListener('close', () => {
    const { stackTraceLimit } = Error
    const setLimit = (limit: number) => Reflect.set(Error, 'stackTraceLimit', limit) // may be read-only
    setLimit(0)
    process.nextTick(setLimit, stackTraceLimit)
  })
  socket.destroy()
}

/**
 * Holds a waiting request's body in one buffer. Node stops reading because `push` returns false. The returned function
 * passes the held bytes on.
 */
function holdBody(req: IncomingMessage): () => void {
  const { push } = req
  const held = new GrowingBuffer()
  let isComplete = false
  req.push = (chunk: Buffer | null) => {
    if (chunk) held.append(chunk)
    else isComplete = true
    return false
  }
  return () => {
    req.push = push
    if (held.byteLength > 0) req.push(held.take())
    if (isComplete) req.push(null)
  }
}

/**
 * Lets a client that has ended its side receive its responses. Node's `end` listener would close the socket, so
 * `socket.end` does nothing while that listener runs.
 */
function keepWritable(socket: Socket): void {
  socket.prependListener('end', () => {
    const connection = getConnection(socket)
    const { latestResponse } = connection
    if (!latestResponse || latestResponse.writableFinished) return
    connection.clientHasEnded = true
    setConnectionClose(latestResponse)
    latestResponse.once('close', () => socket.destroySoon())
    socket.end = () => socket
    endUnlessServed(connection, socket)
  })
  socket.on('end', () => Reflect.deleteProperty(socket, 'end'))
}

/**
 * Closes the connection if its client has ended its side, as Node does, unless the service creates the current
 * response.
 */
function endUnlessServed(connection: Connection, socket: Socket): void {
  void waitForEndOfTurn().then(() => {
    if (connection.currentResponse !== connection.servedResponse) socket.destroySoon()
  })
}
