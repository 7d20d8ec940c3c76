import type { Socket } from 'node:net'
import type { Flood } from '../flood.ts'
import { head } from '../target.ts'

/** Clients that send a head or a body at a byte a second. */
export const slowloris: Flood = {
  title: '600 heads and bodies, a byte a second',
  start({ keys }, crowd) {
    const kinds = [
      { first: 'GET /v1/pets HTTP/1.1\r\nHost: x\r\nX-Slow: ', next: 'x' },
      { first: head('POST /v1/pets', keys.slow, 'Content-Length: 60000'), next: ' ' },
      { first: head('POST /v1/pets', keys.slow, 'Transfer-Encoding: chunked'), next: '1\r\n \r\n' },
    ]
    const open = new Map<Socket, string>()
    crowd.join({
      count: 600,
      use(socket, index) {
        const { first, next } = kinds[index % kinds.length] ?? { first: '', next: '' }
        socket.setNoDelay().write(first)
        open.set(socket, next)
        socket.on('close', () => open.delete(socket))
      },
    })
    setInterval(() => {
      for (const [socket, next] of open) socket.write(next)
    }, 1_000)
    return () => []
  },
}
