import { randomBytes } from 'node:crypto'
import type { Flood } from '../flood.ts'
import { head } from '../target.ts'

/** Bytes that are no request, and requests that a server must handle with care. */
const messages: readonly (() => string | Uint8Array)[] = [
  () => randomBytes(4_096),
  () => Buffer.from('16030100f8010000f40303', 'hex'), // the start of a TLS handshake
  () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  () => 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n',
  () => 'POST /v1/pets HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n',
  () => head('GET /v1/pets', undefined, ...new Array<string>(8_000).fill('a:')),
  () => head('GET /v1/pets', undefined, 'Connection: Upgrade', 'Upgrade: websocket'),
  () => head('POST /v1/pets', undefined, 'Content-Length: 5', 'Transfer-Encoding: chunked'),
  () => head('POST /v1/pets', undefined, 'Content-Length: -1'),
  () => head('POST /v1/pets', undefined, 'Expect: 100-continue', 'Content-Length: 60000'),
  () => head(`GET /${'a'.repeat(100_000)}`),
  () => '\r\n'.repeat(30_000),
]

/** Clients that send such messages again and again. Half of them disconnect at once. */
export const garbage: Flood = {
  title: '120 connections of garbage, CONNECT, bad framing',
  start(_target, crowd) {
    for (const lifetimeMs of [2_000, 20]) {
      crowd.join({
        count: 60,
        lifetimeMs,
        use: (socket, index) => void socket.write(messages[index % messages.length]?.() ?? ''),
      })
    }
    return () => []
  },
}
