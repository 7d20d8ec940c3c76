import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { hasBody } from './body.ts'
import {
  type Connection,
  latestResponse,
  readAllInSlices,
  readInSlices,
  type SlicingServer,
  slicedReading,
  waitingResponses,
} from './connection.ts'

/** With more responses waiting on one connection, all connections are read in slices. */
const maxWaiting = 32

/** How long new connections are read in slices after that, in milliseconds. */
const slicingMs = 60_000

/**
 * Bounds the requests of a connection that are parsed but not handled. Until a client pipelines many requests, Node reads by
 * itself, which takes up to a tenth less time. The first such client switches all connections, and those of the next minute,
 * to reading in slices.
 */
export function boundPipelining(
  server: Server & SlicingServer,
  clock: () => number = () => performance.now(),
): void {
  const connections = new Set<Connection>()
  let slicingUntil = Number.NEGATIVE_INFINITY

  for (const event of ['connection', 'secureConnection']) {
    server.on(event, (socket: Connection) => {
      connections.add(socket)
      socket.once('close', () => connections.delete(socket))
      if (clock() < slicingUntil) readInSlices(socket)
    })
  }

  server.prependListener('request', (req: IncomingMessage & { socket: Connection }, res: ServerResponse) => {
    const { socket } = req
    socket[latestResponse] = res
    if (res.socket !== null) return
    const count = (socket[waitingResponses] ?? 0) + 1
    socket[waitingResponses] = count
    res.once('socket', onTurn)
    if (!socket[slicedReading] && (count > maxWaiting || hasBody(req))) readAll()
  })

  function readAll(): void {
    slicingUntil = clock() + slicingMs
    for (const connection of connections) readInSlices(connection)
  }
  server[readAllInSlices] = readAll
}

function onTurn(socket: Connection): void {
  socket[waitingResponses] = (socket[waitingResponses] ?? 0) - 1
  socket[slicedReading]?.resume()
}
