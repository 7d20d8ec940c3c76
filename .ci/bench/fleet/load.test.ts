import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { sendAll } from './load.ts'

async function serve(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return (server.address() as AddressInfo).port // a TCP server has an object
}

const request = (number: number) => ({ method: 'GET', target: `/${number}`, key: `key-${number}` }) as const

test('the load sends each request once, with its key, spread over the servers', async (t) => {
  const seen: string[][] = [[], []]
  const ports = await Promise.all(
    seen.map((here) =>
      serve(t, (incoming, response) => {
        here.push(`${incoming.url} ${incoming.headers.authorization}`)
        response.setHeader('Content-Length', 20_000).end('x'.repeat(20_000))
      }),
    ),
  )
  const received = await sendAll({ ports, requests: 50, connections: 4, request })
  assert.deepEqual(
    seen.flat().toSorted(),
    Array.from({ length: 50 }, (_, i) => `/${i} Bearer key-${i}`).toSorted(),
  )
  assert.ok(seen.every((here) => here.length > 5))
  assert.ok(received > 50 * 20_000)
})

test('the load fails when a response is no success', async (t) => {
  const port = await serve(t, ({ url }, response) => {
    response.statusCode = url === '/7' ? 429 : 200
    response.setHeader('Content-Length', 2).end('{}')
  })
  await assert.rejects(sendAll({ ports: [port], requests: 20, connections: 2, request }), /HTTP\/1.1 429/)
})

test('the load fails when a server closes a connection', async (t) => {
  const port = await serve(t, ({ socket }) => socket.destroy())
  await assert.rejects(sendAll({ ports: [port], requests: 20, connections: 2, request }), /closed|ECONNRESET/)
})
