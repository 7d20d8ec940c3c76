import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { authHeaders } from '../testing/mount-suite/open-mount.ts'
import { serve, waitUntil } from '../testing/serve.ts'
import { formatHead } from '../testing/wire.ts'

const keyHeader = authHeaders.zoo.join(': ')
const listRequest = formatHead('GET /v1/pets HTTP/1.1', 'Host: x', keyHeader)
const eventsRequest = formatHead('GET /events HTTP/1.1', 'Host: x')
const partialUpload = `${formatHead('POST /events HTTP/1.1', 'Host: x', 'Content-Length: 50')}abc`

/** Starts a response that never ends. */
function startEventStream(_req: IncomingMessage, res: ServerResponse): void {
  res.writeHead(200, { 'Content-Type': 'text/event-stream' })
  res.write('data: 1\n\n')
}

const routes = { 'a started response': startEventStream, 'no response yet': () => {} } as const

describe('a route outside the base path', { concurrency: true }, () => {
  for (const how of ['resets', 'ends'] as const)
    for (const [when, route] of Object.entries(routes))
      for (const [what, bytes] of [
        ['a GET', eventsRequest],
        ['an upload', partialUpload],
        ['a GET behind a list', listRequest + eventsRequest],
      ] as const)
        it(`emits close if the client ${how} (${what}, ${when})`, async (t) => {
          const closed: string[] = []
          const { connect, countConnections, server } = await serve(t, {
            listener: (mount) => (req, res) => {
              if (req.url !== '/events') return mount(req, res)
              req.on('close', () => closed.push('request'))
              res.on('close', () => closed.push('response'))
              route(req, res)
              server.emit('passed')
            },
          })
          const wire = await connect()
          const passed = once(server, 'passed')
          wire.write(bytes)
          await passed
          if (how === 'resets') wire.socket.resetAndDestroy()
          else wire.socket.end()
          await waitUntil(async () => closed.length === 2 && (await countConnections()) === 0)
          assert.deepEqual(closed.sort(), ['request', 'response'])
        })

  it('closes a stream whose client has ended its side', async (t) => {
    const { connect, countConnections } = await serve(t, {
      listener: (mount) => (req, res) =>
        req.url === '/events' ? startEventStream(req, res) : mount(req, res),
    })
    const wire = await connect()
    wire.socket.end(listRequest + listRequest + eventsRequest)
    for (let i = 0; i < 2; i++) assert.equal((await wire.read())?.status, 200)
    await waitUntil(async () => (await countConnections()) === 0)
  })

  it('cannot respond late to a client that has ended its side', async (t) => {
    const { connect, countConnections } = await serve(t, {
      listener: () => (req, res) => {
        if (req.url === '/events') req.socket.once('end', () => setImmediate(() => res.end('late')))
        else res.end('page')
      },
    })
    for (const [bytes, expected] of [
      [eventsRequest, []],
      [listRequest, ['page']],
      [listRequest + eventsRequest, ['page']],
    ] as const) {
      const wire = await connect()
      wire.socket.end(bytes)
      assert.deepEqual(
        (await wire.readAll()).map(({ text }) => text),
        expected,
      )
    }
    await waitUntil(async () => (await countConnections()) === 0)
  })
})
