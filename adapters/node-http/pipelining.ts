import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { hasBody } from './body.ts'
import { type CarefulServer, type Connection, latest, reading, readWithCare, waiting } from './connection.ts'
import { readInSlices } from './slices.ts'

/** So many responses may wait on a connection before all connections are read with care. */
const maxWaiting = 32

/** How long new connections are read with care after that, in milliseconds. */
const carefulMs = 60_000

/**
 * Bounds the requests of a connection that are parsed but not handled. As long as nobody pipelines much, Node reads by itself, which
 * takes up to a tenth less time; with the first that does, all connections and those of the next minute are read in slices.
 */
export function boundPipelining(
  server: Server & CarefulServer,
  clock: () => number = () => performance.now(),
): void {
  const connections = new Set<Connection>()
  let carefulUntil = Number.NEGATIVE_INFINITY

  for (const event of ['connection', 'secureConnection']) {
    server.on(event, (socket: Connection) => {
      connections.add(socket)
      socket.once('close', () => connections.delete(socket))
      if (clock() < carefulUntil) readInSlices(socket)
    })
  }

  server.prependListener('request', (req: IncomingMessage & { socket: Connection }, res: ServerResponse) => {
    const { socket } = req
    socket[latest] = res
    if (res.socket !== null) return
    const count = (socket[waiting] ?? 0) + 1
    socket[waiting] = count
    res.once('socket', onTurn)
    if (!socket[reading] && (count > maxWaiting || hasBody(req))) beCareful()
  })

  function beCareful(): void {
    carefulUntil = clock() + carefulMs
    for (const connection of connections) readInSlices(connection)
  }
  server[readWithCare] = beCareful
}

function onTurn(socket: Connection): void {
  socket[waiting] = (socket[waiting] ?? 0) - 1
  socket[reading]?.goOn()
}
