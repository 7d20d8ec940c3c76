import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import { auth, creation } from '../testing/mount-suite/open.ts'
import { type Served, serve } from '../testing/serve.ts'
import { head } from '../testing/wire.ts'
import { toServiceRequest } from './node-request.ts'
import { writeResponse } from './write-response.ts'

type Route = (req: IncomingMessage, res: ServerResponse, remaining: number) => unknown

const target = '/v1/store/orders'
const keyHeader = auth.zoo.join(': ')
const post = (...lines: readonly string[]) => head(`POST ${target} HTTP/1.1`, 'Host: x', ...lines)

/** Serves a route of the embedder next to the service. */
const serveRoute = (t: TestContext, route: Route): Promise<Served> =>
  serve(t, {
    listener: (mount, pets) => async (req, res) => {
      if (req.url !== target) return mount(req, res)
      const access = await pets.authenticate(toServiceRequest(req, res))
      if (!access.authenticated) return writeResponse(req, res, access.response)
      await route(req, res, access.decision.remaining)
    },
  })

/** Responds with the length of the body, which it reads as any route of node:http does. */
const measure: Route = async (req, res) => {
  if (req.headers.expect) res.writeContinue()
  let length = 0
  for await (const chunk of req) length += chunk.length
  writeResponse(req, res, { status: 200, rawHeaders: ['X-Length', String(length)], body: 'read' })
}

describe('a route of the embedder', () => {
  it('reads its body after authentication', async (t) => {
    const { send } = await serveRoute(t, measure)
    for (const length of [1, 1_000_000]) {
      const sent = { method: 'POST', target, headers: [auth.zoo], body: 'x'.repeat(length) }
      const { status, headers, text } = await send(sent)
      assert.deepEqual([status, headers.get('x-length'), text], [200, String(length), 'read'])
    }
  })

  it('closes the connection when it rejects a long or missing body', async (t) => {
    const { connect } = await serveRoute(t, measure)
    for (const [lines, connection] of [
      [['Content-Length: 3'], 'keep-alive'],
      [['Content-Length: 9000000'], 'close'],
      [['Content-Length: 3', 'Expect: 100-continue'], 'close'],
    ] as const) {
      const rejected = await (await connect()).ask(`${post(...lines)}abc`)
      assert.deepEqual([rejected.status, rejected.headers.get('connection')], [401, connection])
      assert.equal(rejected.headers.get('x-content-type-options'), 'nosniff')
    }
  })

  it('sends 100 Continue itself, after the key is checked', async (t) => {
    const wire = await (await serveRoute(t, measure)).connect()
    assert.equal((await wire.ask(post('Content-Length: 5', 'Expect: 100-continue', keyHeader))).status, 100)
    assert.equal((await wire.ask('hello')).headers.get('x-length'), '5')
  })

  it('is charged for rejected heads and for HEAD', async (t) => {
    const { ask, send } = await serveRoute(t, (req, res, remaining) =>
      writeResponse(req, res, { status: 200, rawHeaders: [], body: String(remaining) }),
    )
    const rejected = await ask(head(`GET ${target} HTTP/1.1`, 'Host: x', 'Host: y', keyHeader))
    assert.deepEqual([rejected.status, rejected.headers.get('x-ratelimit-remaining')], [400, '99999'])
    const { status, headers, text } = await send({ method: 'HEAD', target, headers: [auth.zoo] })
    assert.deepEqual([status, headers.get('content-length'), text], [200, '5', ''])
    assert.equal((await send({ headers: [auth.zoo] })).headers.get('x-ratelimit-remaining'), '99997')
  })

  it('learns of a missing await from writeResponse', async (t) => {
    const access = Promise.resolve({}) as unknown as { response: never }
    const { send } = await serveRoute(t, (req, res) => {
      const missing = /^TypeError: writeResponse requires .*: await service\.authenticate$/
      assert.throws(() => writeResponse(req, res, access.response), missing)
      writeResponse(req, res, { status: 204, rawHeaders: [], body: undefined })
    })
    assert.equal((await send({ target, headers: [auth.zoo] })).status, 204)
  })

  it('can use service.handle, which reads the body', async (t) => {
    const { send } = await serve(t, {
      listener: (_, pets) => async (req, res) =>
        writeResponse(req, res, await pets.handle(toServiceRequest(req, res))),
    })
    assert.match((await send(creation('{"name":"Rex","categoryId":1}'))).text, /"name":"Rex"/)
  })
})
