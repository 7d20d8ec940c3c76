import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import cors from '@fastify/cors'
import rateLimit from '@fastify/rate-limit'
import { type FastifyInstance, fastify } from 'fastify'
import type { PetService, ServiceOptions } from '../../core/index.ts'
import { serverOptions } from '../node-http/index.ts'
import { authHeaders, createTestService, toCreateRequest } from '../testing/mount-suite/open-mount.ts'
import { connect, exchange, formatHead, type Wire } from '../testing/wire.ts'
import { callerOf, type PetAdoptionOptions, petAdoption, requireKey } from './index.ts'

interface RunningApp {
  readonly app: FastifyInstance
  readonly port: number
  connect(): Promise<Wire>
}

/** Starts a Fastify app with the plugin. */
async function startApp(
  t: TestContext,
  {
    addRoutes,
    options,
    http = serverOptions,
    before,
  }: {
    readonly addRoutes?: (app: FastifyInstance, service: PetService) => void
    readonly before?: (app: FastifyInstance) => void
    readonly options?: Partial<PetAdoptionOptions & ServiceOptions>
    readonly http?: typeof serverOptions
  } = {},
): Promise<RunningApp> {
  const { shutdown = { idleMs: 50, acceptMs: 0 }, ...others } = options ?? {}
  const app = fastify({ http })
  const service = createTestService(others)
  before?.(app)
  app.register(petAdoption, { service, shutdown })
  addRoutes?.(app, service)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo // a TCP server has a port
  t.after(() => {
    app.server.closeAllConnections()
    return app.close()
  })
  return { app, port, connect: () => connect(port) }
}

const keyHeader = authHeaders.zoo.join(': ')
const listRequest = formatHead('GET /v1/pets HTTP/1.1', 'Host: x', keyHeader)

describe('petAdoption', () => {
  it('leaves other routes to the app', async (t) => {
    const { port } = await startApp(t, {
      addRoutes: (app) => app.get('/', async () => 'The shelter is open.'),
    })
    assert.equal((await exchange(port, { target: '/' })).text, 'The shelter is open.')
    assert.equal((await exchange(port, { target: '/unknown' })).headers.get('x-ratelimit-limit'), undefined)
  })

  it('lets the app have routes below the base path', async (t) => {
    const { port } = await startApp(t, {
      addRoutes(app) {
        app.get('/v1/store/orders', async () => [])
        app.get('/*', async () => 'everything else')
      },
    })
    assert.equal((await exchange(port, { target: '/v1/store/orders' })).text, '[]')
    assert.equal((await exchange(port, { headers: [authHeaders.zoo] })).text, '[]')
    assert.equal((await exchange(port, { target: '/v1/unknown', headers: [authHeaders.zoo] })).status, 404)
    assert.equal((await exchange(port, { target: '/v2' })).text, 'everything else')
  })

  it('sends headers that earlier hooks have set', async (t) => {
    const { port } = await startApp(t, {
      before(app) {
        app.register(cors, { origin: 'https://app.example' })
        app.addHook('onRequest', async (_request, reply) => void reply.header('X-Request-Id', 'r1'))
      },
    })
    const target = 'http://elsewhere.example/v1/pets'
    for (const sent of [{ headers: [authHeaders.zoo] }, {}, { headers: [authHeaders.zoo], target }]) {
      const received = await exchange(port, sent)
      assert.equal(received.headers.get('access-control-allow-origin'), 'https://app.example')
      assert.equal(received.headers.get('x-request-id'), 'r1')
    }
  })

  it('handles content types that Fastify rejects', async (t) => {
    const { port } = await startApp(t)
    const send = async (type: string) => {
      const received = await exchange(
        port,
        toCreateRequest('{"name":"Rex","categoryId":1}', ['Content-Type', type]),
      )
      return [received.status, received.headers.get('x-ratelimit-limit')]
    }
    assert.deepEqual(await send(''), [201, '100000'])
    assert.deepEqual(await send('text/'), [415, '100000'])
  })

  it('responds to a malformed request after earlier responses', async (t) => {
    const { connect } = await startApp(t)
    const wire = await connect()
    wire.write(`${listRequest}garbage\r\n\r\n`)
    const [valid, invalid] = await wire.readAll()
    assert.deepEqual([valid?.status, valid?.text], [200, '[]'])
    assert.equal(invalid?.status, 400)
    assert.equal(JSON.parse(invalid.text).code, 'invalid_request')
    assert.equal(invalid.headers.get('x-ratelimit-limit'), '60')
  })

  it('responds to requests that Fastify would reject', async (t) => {
    const { connect } = await startApp(t)
    for (const [lines, code] of [
      [['GET /v1/pets HTTP/1.1', 'Host: x', `X: ${'x'.repeat(20_000)}`], 'headers_too_large'],
      [['GET /v1/pets HTTP/1.1'], 'invalid_request'],
      [['GET /v1/pets/%zz HTTP/1.1', 'Host: x', keyHeader], 'pet_not_found'],
    ] as const) {
      const received = await (await connect()).ask(formatHead(...lines))
      assert.equal(JSON.parse(received.text).code, code)
      assert.ok(received.headers.get('x-ratelimit-limit'), code)
    }
  })

  it('completes requests while the app closes', async (t) => {
    const { app, connect } = await startApp(t)
    const wire = await connect()
    assert.equal((await wire.ask(listRequest)).status, 200)
    const closed = app.close()
    await new Promise(setImmediate)
    const last = await wire.ask(listRequest)
    assert.deepEqual([last.status, last.headers.get('connection')], [200, 'close'])
    await closed
    assert.equal(app.server.listening, false)
  })

  it('works with app.inject', async (t) => {
    const { app } = await startApp(t)
    const headers = { authorization: 'Bearer zoo-key', 'content-type': 'application/json' }
    const payload = '{"name":"Rex","categoryId":1}'
    const created = await app.inject({ method: 'POST', url: '/v1/pets', headers, payload })
    assert.deepEqual([created.statusCode, created.json().id], [201, 1])
    assert.equal((await app.inject({ url: '/v1/pets', headers })).json().length, 1)
  })

  it('warns if the app was created without serverOptions', async (t) => {
    const warnings: string[] = []
    const { port } = await startApp(t, {
      http: {},
      before: (app) => t.mock.method(app.log, 'warn', (message: string) => warnings.push(message)),
    })
    assert.match(warnings.join(), /^pet-adoption-service: .* fastify\(\{ http: serverOptions \}\)$/)
    assert.equal((await exchange(port, { headers: [authHeaders.zoo] })).status, 200)
  })

  it('rejects invalid options', async () => {
    for (const [options, message] of [
      [{}, /expected a service created by createPetService, got undefined/],
      [{ service: createTestService(), maxConnection: 1 }, /unknown option "options\.maxConnection"/],
      [{ service: createTestService(), shutdown: { idleMs: -1 } }, /options\.shutdown\.idleMs must be/],
    ] as const) {
      const app = fastify()
      app.register(petAdoption, options as PetAdoptionOptions) // simulates an untyped caller
      await assert.rejects(async () => app.ready(), { name: 'TypeError', message })
    }
  })
})

describe('requireKey for Fastify', () => {
  const addOrders = (app: FastifyInstance, service: PetService) =>
    app.get('/orders', { onRequest: requireKey(service) }, async (request) => [callerOf(request).id])

  it('shares rate limits with the interface', async (t) => {
    const { port } = await startApp(t, { addRoutes: addOrders })
    const orders = await exchange(port, { target: '/orders', headers: [authHeaders.free] })
    assert.deepEqual([orders.text, orders.headers.get('x-ratelimit-remaining')], ['["free"]', '59'])
    assert.equal(
      (await exchange(port, { headers: [authHeaders.free] })).headers.get('x-ratelimit-remaining'),
      '58',
    )
    assert.equal(JSON.parse((await exchange(port, { target: '/orders' })).text).code, 'missing_api_key')
  })

  it('overrides headers from @fastify/rate-limit', async (t) => {
    const { port } = await startApp(t, {
      before: (app) => void app.register(rateLimit, { max: 7 }),
      addRoutes: (app, service) =>
        void app.register(async (orders) => {
          orders.addHook('onRequest', requireKey(service))
          orders.get('/orders', async () => [])
        }),
    })
    const { headers } = await exchange(port, { target: '/orders', headers: [authHeaders.free] })
    assert.equal(headers.get('x-ratelimit-limit'), '60')
  })

  it('keeps headers from @fastify/cors in a rejection', async (t) => {
    const { port } = await startApp(t, {
      before: (app) => void app.register(cors, { origin: 'https://app.example' }),
      addRoutes: addOrders,
    })
    const { status, headers } = await exchange(port, { target: '/orders' })
    assert.deepEqual([status, headers.get('access-control-allow-origin')], [401, 'https://app.example'])
  })
})
