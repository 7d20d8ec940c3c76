import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import { authHeaders, toCreateRequest } from '../testing/mount-suite/open-mount.ts'
import { serve, type TestServer } from '../testing/serve.ts'
import { formatHead } from '../testing/wire.ts'
import { toServiceRequest } from './node-request.ts'
import { writeResponse } from './write-response.ts'

type Route = (req: IncomingMessage, res: ServerResponse, remaining: number) => unknown

const target = '/v1/store/orders'
const keyHeader = authHeaders.zoo.join(': ')
const formatPost = (...lines: readonly string[]) => formatHead(`POST ${target} HTTP/1.1`, 'Host: x', ...lines)

/** Starts a server with the interface, and a route that calls `service.authenticate`. */
const serveRoute = (t: TestContext, route: Route): Promise<TestServer> =>
  serve(t, {
    listener: (mount, pets) => async (req, res) => {
      if (req.url !== target) return mount(req, res)
      const access = await pets.authenticate(toServiceRequest(req, res))
      if (!access.authenticated) return writeResponse(req, res, access.response)
      await route(req, res, access.decision.remaining)
    },
  })

/** Responds with the length of the request body. */
const respondWithLength: Route = async (req, res) => {
  if (req.headers.expect) res.writeContinue()
  let length = 0
  for await (const chunk of req) length += chunk.length
  writeResponse(req, res, { status: 200, rawHeaders: ['X-Length', String(length)], body: 'read' })
}

describe('a route with service.authenticate', () => {
  it('reads short and long bodies', async (t) => {
    const { send } = await serveRoute(t, respondWithLength)
    for (const length of [1, 1_000_000]) {
      const sent = { method: 'POST', target, headers: [authHeaders.zoo], body: 'x'.repeat(length) }
      const { status, headers, text } = await send(sent)
      assert.deepEqual([status, headers.get('x-length'), text], [200, String(length), 'read'])
    }
  })

  it('closes the connection if it rejects a long upload', async (t) => {
    const { connect } = await serveRoute(t, respondWithLength)
    for (const [lines, connection] of [
      [['Content-Length: 3'], 'keep-alive'],
      [['Content-Length: 9000000'], 'close'],
      [['Content-Length: 3', 'Expect: 100-continue'], 'close'],
    ] as const) {
      const rejected = await (await connect()).ask(`${formatPost(...lines)}abc`)
      assert.deepEqual([rejected.status, rejected.headers.get('connection')], [401, connection])
      assert.equal(rejected.headers.get('x-content-type-options'), 'nosniff')
    }
  })

  it('sends 100 Continue before it reads the body', async (t) => {
    const wire = await (await serveRoute(t, respondWithLength)).connect()
    assert.equal(
      (await wire.ask(formatPost('Content-Length: 5', 'Expect: 100-continue', keyHeader))).status,
      100,
    )
    assert.equal((await wire.ask('hello')).headers.get('x-length'), '5')
  })

  it('shares rate limits with the interface', async (t) => {
    const { ask, send } = await serveRoute(t, (req, res, remaining) =>
      writeResponse(req, res, { status: 200, rawHeaders: [], body: String(remaining) }),
    )
    const rejected = await ask(formatHead(`GET ${target} HTTP/1.1`, 'Host: x', 'Host: y', keyHeader))
    assert.deepEqual([rejected.status, rejected.headers.get('x-ratelimit-remaining')], [400, '99999'])
    const { status, headers, text } = await send({ method: 'HEAD', target, headers: [authHeaders.zoo] })
    assert.deepEqual([status, headers.get('content-length'), text], [200, '5', ''])
    assert.equal((await send({ headers: [authHeaders.zoo] })).headers.get('x-ratelimit-remaining'), '99997')
  })

  it('gets a TypeError from writeResponse if the response is missing', async (t) => {
    const access = Promise.resolve({}) as unknown as { response: never }
    const { send } = await serveRoute(t, (req, res) => {
      const missing = /^TypeError: writeResponse\(\) requires .*; await service\.authenticate\(\) first$/
      assert.throws(() => writeResponse(req, res, access.response), missing)
      writeResponse(req, res, { status: 204, rawHeaders: [], body: undefined })
    })
    assert.equal((await send({ target, headers: [authHeaders.zoo] })).status, 204)
  })

  it('can pass requests to service.handle', async (t) => {
    const { send } = await serve(t, {
      listener: (_, pets) => async (req, res) =>
        writeResponse(req, res, await pets.handle(toServiceRequest(req, res))),
    })
    assert.match((await send(toCreateRequest('{"name":"Rex","categoryId":1}'))).text, /"name":"Rex"/)
  })
})
