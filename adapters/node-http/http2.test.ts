import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import {
  type ClientHttp2Session,
  connect,
  constants,
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type OutgoingHttpHeaders,
} from 'node:http2'
import { describe, it, type TestContext } from 'node:test'
import type { PetService, ServiceOptions } from '../../core/index.ts'
import { createNodeHandler, toServiceRequest, writeResponse } from '../node-http.ts'
import { listen } from '../testing/listen.ts'
import { auth, testService } from '../testing/mount-suite/open.ts'

type Listener = (req: Http2ServerRequest, res: Http2ServerResponse) => void

/** Serves HTTP/2 without TLS. Resolves with a client. */
async function open(
  t: TestContext,
  service: Partial<ServiceOptions> = {},
  mount: (service: PetService) => Listener = createNodeHandler,
): Promise<ClientHttp2Session> {
  const server = createServer(mount(testService(service)))
  const client = connect(`http://127.0.0.1:${await listen(server)}`)
  t.after(async () => {
    client.destroy()
    server.close()
    await once(server, 'close')
  })
  return client
}

interface Response {
  readonly status: unknown
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

async function responseOf(stream: ReturnType<ClientHttp2Session['request']>): Promise<Response> {
  const closed = once(stream, 'close')
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  const [headers] = await once(stream, 'response')
  await closed
  return { status: headers[':status'], headers, text }
}

const list: OutgoingHttpHeaders = { ':path': '/v1/pets', authorization: auth.zoo[1] }
const creation: OutgoingHttpHeaders = { ...list, ':method': 'POST', 'content-type': 'application/json' }
const rex = '{"name":"Rex","categoryId":1}'

describe('the mount on an HTTP/2 server', () => {
  it('serves a request, whose authority takes the place of Host', async (t) => {
    const client = await open(t)
    const { status, headers, text } = await responseOf(client.request(list))
    assert.deepEqual([status, text], [200, '[]'])
    assert.equal(headers['x-ratelimit-limit'], '100000')
  })

  it('reads a body without a length, and one with a length', async (t) => {
    const client = await open(t)
    for (const length of [{}, { 'content-length': rex.length }]) {
      const stream = client.request({ ...creation, ...length })
      stream.write(rex.slice(0, 9))
      setImmediate(() => stream.end(rex.slice(9)))
      const { status, text } = await responseOf(stream)
      assert.deepEqual([status, JSON.parse(text).name], [201, 'Rex'])
    }
  })

  it('rejects a body that is too long, and closes the stream behind the response', async (t) => {
    const client = await open(t)
    const stream = client.request(creation)
    stream.on('error', () => {}) // writes after the server has closed the stream
    const part = Buffer.alloc(16_384, 0x20)
    for (let i = 0; i < 10; i++) stream.write(part)
    const { status, text } = await responseOf(stream)
    assert.deepEqual([status, JSON.parse(text).code], [413, 'body_too_large'])
    assert.equal(stream.rstCode, constants.NGHTTP2_NO_ERROR)
    assert.equal((await responseOf(client.request(list))).status, 200)
  })

  it('treats a body whose connection closes as incomplete', async (t) => {
    const events = new EventEmitter()
    const client = await open(t, {
      keys: {
        find() {
          events.emit('arrived')
          return { id: 'zoo', plan: 'free', limits: { minute: 60, day: 1_000 } }
        },
      },
      onResponse: ({ code }) => void events.emit('response', code),
    })
    const [arrived, response] = [once(events, 'arrived'), once(events, 'response')]
    const stream = client.request(creation)
    stream.on('error', () => {}) // the connection is gone
    stream.write(rex)
    await arrived
    client.destroy()
    assert.deepEqual(await response, ['invalid_request'])
  })

  it('responds to a HEAD with the length of the body', async (t) => {
    const client = await open(t)
    const { status, headers, text } = await responseOf(client.request({ ...list, ':method': 'HEAD' }))
    assert.deepEqual([status, headers['content-length'], text], [200, '2', ''])
  })

  it('serves many streams of one connection together', async (t) => {
    const client = await open(t)
    const responses = await Promise.all(Array.from({ length: 50 }, () => responseOf(client.request(list))))
    assert.ok(responses.every(({ status }) => status === 200))
  })

  it('serves routes of the embedder, too', async (t) => {
    const client = await open(t, {}, (pets) => async (req, res) => {
      const access = await pets.authorize(toServiceRequest(req, res))
      if (!access.authorized) return writeResponse(req, res, access.response)
      writeResponse(req, res, { status: 200, headers: access.headers, body: 'in' })
    })
    const { status, headers, text } = await responseOf(client.request({ ...list, ':path': '/v1/orders' }))
    assert.deepEqual([status, headers['x-ratelimit-remaining'], text], [200, '99999', 'in'])
  })
})
