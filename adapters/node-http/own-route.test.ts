import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import { json } from '../testing/exchange.ts'
import { listen, shut } from '../testing/listen.ts'
import { addition, auth, testService } from '../testing/mount-suite/open.ts'
import { connect, exchange, head, type Wire } from '../testing/wire.ts'
import { createNodeHandler } from './handler.ts'
import { hardenServer, serverOptions } from './harden.ts'
import { toServiceRequest } from './node-request.ts'
import { writeResponse } from './write-response.ts'

type Route = (req: IncomingMessage, res: ServerResponse, remaining: number) => unknown

const target = '/v1/store/orders'
/** Serves a route of the embedder next to the service. Resolves with the port. */
async function serve(t: TestContext, route: Route, isHardened = false): Promise<number> {
  const pets = testService()
  const handler = createNodeHandler(pets)
  const server = createServer(serverOptions, async (req, res) => {
    if (req.url !== target) return handler(req, res)
    const access = await pets.authorize(toServiceRequest(req, res))
    if (!access.authorized) return writeResponse(req, res, access.response)
    await route(req, res, access.decision.remaining)
  })
  if (isHardened) hardenServer(server, pets)
  const port = await listen(server)
  t.after(() => shut(server))
  return port
}

async function open(t: TestContext, port: number): Promise<Wire> {
  const wire = await connect(port)
  t.after(() => wire.close())
  return wire
}

/** Responds with the length of the body, which it reads as any route of node:http does. */
const measure: Route = async (req, res) => {
  let length = 0
  for await (const chunk of req) length += chunk.length
  writeResponse(req, res, { status: 200, headers: ['X-Length', String(length)], body: 'read' })
}

const keyHeader = auth.zoo.join(': ')
const post = (...lines: readonly string[]) => head(`POST ${target} HTTP/1.1`, 'Host: x', ...lines)

describe('a route of the embedder on node:http', () => {
  it('reads its body after it is authorized, at its length', async (t) => {
    const port = await serve(t, measure, true)
    for (const length of [1, 70_000, 1_000_000]) {
      const sent = { method: 'POST', target, headers: [auth.zoo], body: 'x'.repeat(length) }
      const { status, headers, text } = await exchange(port, sent)
      assert.deepEqual([status, headers.get('x-length'), text], [200, String(length), 'read'])
    }
  })

  it('throws a TypeError where await is missing, so that there is no response', async (t) => {
    const access = Promise.resolve({}) as unknown as { response: never }
    const missing = /^TypeError: writeResponse requires .*: await service\.authorize$/
    const port = await serve(t, (req, res) => {
      assert.throws(() => writeResponse(req, res, access.response), missing)
      writeResponse(req, res, { status: 204, headers: [], body: undefined })
    })
    assert.equal((await exchange(port, { target, headers: [auth.zoo] })).status, 204)
  })

  it('receives the response of a rejected request with a body, and a long one closes the connection', async (t) => {
    const port = await serve(t, measure, true)
    const wire = await open(t, port)
    wire.write(`${post('Content-Length: 3')}abc`)
    assert.equal((await wire.read())?.status, 401)
    wire.write(`${post('Content-Length: 9000000')}abc`)
    const rejected = await wire.read()
    assert.deepEqual([rejected?.status, rejected?.headers.get('connection')], [401, 'close'])
    assert.equal(rejected?.headers.get('x-content-type-options'), 'nosniff')
  })

  it('sends 100 Continue itself on a hardened server, after the key is checked', async (t) => {
    const route: Route = (req, res, remaining) => {
      res.writeContinue()
      return measure(req, res, remaining)
    }
    const port = await serve(t, route, true)
    const expecting = ['Content-Length: 5', 'Expect: 100-continue']
    const [anonymous, wire] = [await open(t, port), await open(t, port)]
    anonymous.write(post(...expecting))
    const rejected = await anonymous.read()
    assert.deepEqual([rejected?.status, rejected?.headers.get('connection')], [401, 'close'])
    wire.write(post(...expecting, keyHeader))
    assert.equal((await wire.read())?.status, 100)
    wire.write('hello')
    assert.equal((await wire.read())?.headers.get('x-length'), '5')
  })

  it('responds to a HEAD with the length of the body alone, and has the numbers of the service', async (t) => {
    const port = await serve(t, (req, res, remaining) =>
      writeResponse(req, res, { status: 200, headers: [], body: String(remaining) }),
    )
    const { status, headers, text } = await exchange(port, { method: 'HEAD', target, headers: [auth.zoo] })
    assert.deepEqual([status, headers.get('content-length'), text], [200, '5', ''])
    const { headers: after } = await exchange(port, { headers: [auth.zoo] })
    assert.equal(after.get('x-ratelimit-remaining'), '99998')
  })

  it('is rejected for a head that the service rejects, and charged', async (t) => {
    const port = await serve(t, measure, true)
    const wire = await open(t, port)
    wire.write(head(`GET ${target} HTTP/1.1`, 'Host: x', 'Host: y', keyHeader))
    const response = await wire.read()
    assert.deepEqual([response?.status, response?.headers.get('x-ratelimit-remaining')], [400, '99999'])
  })
})

describe('a request that an embedder hands to the service itself', () => {
  it('has its body, which is received when the service reads it', async (t) => {
    const pets = testService()
    const server = createServer(async (req, res) => {
      writeResponse(req, res, await pets.handle(toServiceRequest(req, res)))
    })
    const port = await listen(server)
    t.after(() => shut(server))
    const created = await exchange(port, addition('{"name":"Rex","categoryId":1}'))
    assert.equal(created.status, 201)
    assert.equal(json<{ name: string }>(created).name, 'Rex')
  })
})
