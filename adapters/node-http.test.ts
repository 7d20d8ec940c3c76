import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import type { ServiceOptions } from '../core/index.ts'
import { recordWarnings } from '../core/testing/warnings.ts'
import { createNodeHandler, type NodeHandlerOptions } from './node-http.ts'
import { json, type Received, type Sent } from './testing/exchange.ts'
import { listen, shut } from './testing/listen.ts'
import { addition, auth, testService } from './testing/mount-suite/open.ts'
import { exchange } from './testing/wire.ts'

type Send = (sent: Sent) => Promise<Received>

async function served(t: TestContext, listener: RequestListener): Promise<Send> {
  const server = createServer(listener)
  const port = await listen(server)
  t.after(() => shut(server))
  return (sent) => exchange(port, sent)
}

const mount = (options?: NodeHandlerOptions, service?: Partial<ServiceOptions>) =>
  createNodeHandler(testService(service), options)

const page = (text: string) => (_req: IncomingMessage, res: ServerResponse) => {
  res.end(text)
}

type Middleware = (req: IncomingMessage, res: ServerResponse, next: () => void) => void

/** A chain of middleware, as Connect and Express run it. */
function chained(...all: readonly Middleware[]): RequestListener {
  return (req, res) => {
    const go = (i: number): void => all[i]?.(req, res, () => go(i + 1))
    go(0)
  }
}

const listed = { headers: [auth.zoo] }

describe('the mount on node:http', () => {
  it('serves a bare server, and responds to requests outside the base path itself', async (t) => {
    const send = await served(t, mount())
    assert.equal((await send(listed)).status, 200)
    const outside = await send({ target: '/elsewhere' })
    assert.equal(json<{ code: string }>(outside).code, 'route_not_found')
  })

  it('hands requests outside the base path to the fallback', async (t) => {
    const send = await served(t, mount({ fallback: page('the rest of the server') }))
    for (const target of ['/', '/v1x', '/v2/pets', '*']) {
      assert.equal((await send({ target, method: 'OPTIONS' })).text, 'the rest of the server')
    }
    assert.equal((await send(listed)).status, 200)
    assert.equal((await send({ target: '/v1/nothing', headers: [auth.zoo] })).status, 404)
    assert.equal((await send({ target: 'http://pets.example/v1/pets', headers: [auth.zoo] })).status, 200)
  })

  it('finishes each of the requests that arrive together in its own async context', async (t) => {
    const context = new AsyncLocalStorage<string>()
    const contexts: unknown[] = []
    const handler = mount()
    const send = await served(
      t,
      chained(
        (req, _res, next) => context.run(req.url ?? '', next),
        (req, res, next) => {
          res.once('finish', () => contexts.push([context.getStore(), req.url]))
          handler(req, res, next)
        },
      ),
    )
    await Promise.all([1, 2, 3, 4].map((id) => send({ target: `/v1/pets/${id}`, headers: [auth.zoo] })))
    assert.equal(contexts.length, 4)
    for (const [context, target] of contexts as [string, string][]) assert.equal(context, target)
  })

  it('hands requests outside the base path to the next middleware, rather than to its fallback', async (t) => {
    const before: Middleware = (_req, res, next) => {
      res.setHeader('X-Before', 'yes')
      next()
    }
    const send = await served(t, chained(before, mount({ fallback: page('fallback') }), page('the next one')))
    const passed = await send({ target: '/elsewhere' })
    assert.deepEqual([passed.text, passed.headers.get('x-before')], ['the next one', 'yes'])
    const created = await send(addition('{"name":"Rex","categoryId":1}'))
    assert.equal(created.status, 201)
  })

  it('serves two versions side by side, each below its own path', async (t) => {
    const send = await served(
      t,
      chained(mount({}, { basePath: '/a/v1' }), mount({}, { basePath: '/b/v1' }), page('none')),
    )
    await send({ ...addition('{"name":"Rex","categoryId":1}'), target: '/a/v1/pets' })
    assert.equal(json<[]>(await send({ target: '/a/v1/pets', headers: [auth.zoo] })).length, 1)
    assert.equal(json<[]>(await send({ target: '/b/v1/pets', headers: [auth.zoo] })).length, 0)
    assert.equal((await send({ target: '/v1/pets' })).text, 'none')
  })

  it('serves the root of a server where the base path is empty', async (t) => {
    const send = await served(t, mount({ fallback: page('never') }, { basePath: '' }))
    assert.equal((await send({ target: '/pets', headers: [auth.zoo] })).status, 200)
    assert.equal((await send({ target: '/elsewhere', headers: [auth.zoo] })).status, 404)
  })

  it('identifies an anonymous client by the address of the connection', async (t) => {
    const addresses: unknown[] = []
    const send = await served(t, mount({}, { onResponse: ({ client }) => addresses.push(client) }))
    await send({})
    assert.deepEqual(addresses, ['127.0.0.1'])
  })

  it('knows the address of a client whose connection closes before its request is handled', async (t) => {
    const handled = new EventEmitter()
    const handler = mount({}, { onResponse: ({ client }) => handled.emit('response', client) })
    const send = await served(t, (req, res) => {
      handler(req, res)
      req.socket.destroy()
    })
    const [[client]] = await Promise.all([once(handled, 'response'), assert.rejects(send({}))])
    assert.equal(client, '127.0.0.1')
  })

  it('leaves a request alone to which another part of the server has responded', async (t) => {
    const handler = mount({}, { keys: { find: async () => undefined } })
    const send = await served(t, (req, res) => {
      handler(req, res)
      res.end('too early')
    })
    assert.equal((await send(listed)).text, 'too early')
  })
})

/** A middleware under a prefix, as Connect and Express call it. */
function under(prefix: string, middleware: Middleware): Middleware {
  return (req: IncomingMessage & { originalUrl?: string | undefined }, res, next) => {
    const { url = '' } = req
    if (!`${url}/`.startsWith(`${prefix}/`) && !url.startsWith(`${prefix}?`)) {
      next()
      return
    }
    req.originalUrl = url
    req.url = url.slice(prefix.length).replace(/^(?!\/)/, '/')
    middleware(req, res, () => {
      req.url = url
      req.originalUrl = undefined
      next()
    })
  }
}

describe('the mount on node:http under a prefix', () => {
  interface Prefixed {
    readonly send: Send
    /** What `onError` has received. */
    readonly causes: string[]
  }

  async function prefixed(t: TestContext, prefix: string, basePath: string): Promise<Prefixed> {
    const causes: string[] = []
    const handler = mount({}, { basePath, onError: (cause) => causes.push(String(cause)) })
    const send = await served(t, chained(under(prefix, handler), page('the next one')))
    return { send, causes }
  }

  for (const [prefix, basePath, target] of [
    ['/v1', '/v1', '/v1/pets'],
    ['/api', '/api/v1', '/api/v1/pets'],
    ['/api/v1/pets', '/api/v1', '/api/v1/pets'],
  ] as const) {
    it(`${prefix} serves ${target} with the base path "${basePath}"`, async (t) => {
      const { send, causes } = await prefixed(t, prefix, basePath)
      const { status } = await send({ target: `${target}?limit=1`, headers: [auth.zoo] })
      assert.equal(status, 200)
      assert.deepEqual(causes, [])
    })
  }

  it('links to the path that clients see', async (t) => {
    const { send } = await prefixed(t, '/api', '/api/v1')
    for (const name of ['Rex', 'Tom'])
      await send({ ...addition(`{"name":"${name}","categoryId":1}`), target: '/api/v1/pets' })
    const { headers } = await send({ target: '/api/v1/pets?limit=1', headers: [auth.zoo] })
    assert.match(headers.get('link') ?? '', /^<\/api\/v1\/pets\?/)
  })

  it('hands requests outside the base path to the next middleware, and reports nothing', async (t) => {
    const { send, causes } = await prefixed(t, '/api', '/api/v1')
    for (const target of ['/api', '/api?x=1', '/api/', '/api/v2', '/other'])
      assert.equal((await send({ target })).text, 'the next one', target)
    assert.deepEqual(causes, [])
  })

  for (const [prefix, basePath] of [
    ['/api', '/v1'],
    ['/v1/v1', '/v2'],
    ['/v1x', '/v1'],
  ] as const) {
    it(`reports once that no request under ${prefix} matches the base path ${basePath}`, async (t) => {
      const { send, causes } = await prefixed(t, prefix, basePath)
      for (let i = 0; i < 2; i++)
        assert.equal((await send({ target: `${prefix}/v1/pets?limit=1` })).text, 'the next one')
      assert.equal(causes.length, 1)
      assert.ok(causes[0]?.includes(`mounted under ${prefix}, but its basePath is "${basePath}"`), causes[0])
    })
  }
})

it('tells a mistake that no onError receives once, by a warning of the process', async (t) => {
  const warnings = recordWarnings(t)
  for (let i = 0; i < 2; i++) {
    const send = await served(t, chained(under('/elsewhere', mount()), page('the next one')))
    assert.equal((await send({ target: '/elsewhere/v1' })).text, 'the next one')
  }
  assert.equal(warnings.length, 1)
  assert.match(String(warnings), /^pet-adoption-service: The service is mounted under \/elsewhere/)
})

describe('createNodeHandler', () => {
  it('throws a TypeError where it gets no service, or an option that is unknown or invalid', () => {
    const nothing = undefined as never // what an embedder without types may pass
    assert.throws(() => createNodeHandler(nothing), /^TypeError: .*createPetService/)
    const of = (options: object) => () => mount(options)
    assert.throws(
      of({ fallbak: page('x') }),
      /^TypeError: options\.fallbak is no option: there are fallback$/,
    )
    assert.throws(of({ fallback: {} }), /^TypeError: options\.fallback must be a function$/)
  })
})
