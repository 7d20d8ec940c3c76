import type { Socket } from 'node:net'
import type { Flood } from '../flood.ts'
import { head } from '../target.ts'

/** Less than the maximum, so that no body ends. */
const size = 65_000

/** Two less than the requests of a free key in a minute. */
const connections = 58

/** Clients with one free key that send a body byte by byte, in chunks or in segments, and never its end. */
export const cutBodies: Flood = {
  title: '58 unfinished bodies of one free key, byte by byte',
  start({ keys }, crowd) {
    const post = (framing: string) => head('POST /v1/pets', keys.bodies, framing)
    const chunked = Buffer.from(post('Transfer-Encoding: chunked') + '1\r\n \r\n'.repeat(size))
    const segments = new Map<Socket, number>()
    crowd.join({
      count: connections,
      use(socket, index) {
        if (index % 2 === 0) {
          socket.write(chunked)
          return
        }
        socket.setNoDelay().write(post(`Content-Length: ${size + 1}`))
        segments.set(socket, 0)
        socket.on('close', () => segments.delete(socket))
      },
    })
    setImmediate(function sendNext() {
      for (const [socket, sent] of segments) {
        if (sent === size || socket.writableLength > 0) continue
        socket.write(' ')
        segments.set(socket, sent + 1)
      }
      setImmediate(sendNext)
    })
    return () => []
  },
}
