import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import type { ServiceOptions } from '../../core/index.ts'
import type { Send } from '../testing/exchange.ts'
import { listen, shut } from '../testing/listen.ts'
import { auth, creation, rex, testService } from '../testing/mount-suite/open.ts'
import { exchange } from '../testing/wire.ts'
import { createNodeHandler, type NodeHandlerOptions } from './index.ts'

async function served(t: TestContext, listener: RequestListener): Promise<Send> {
  const server = createServer(listener)
  const port = await listen(server)
  t.after(() => shut(server))
  return (sent = {}) => exchange(port, sent)
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
  it('hands requests outside the base path to the fallback', async (t) => {
    const send = await served(t, mount({ fallback: page('the rest of the server') }))
    for (const target of ['/', '/v1x', '/v2/pets', '*'])
      assert.equal((await send({ target, method: 'OPTIONS' })).text, 'the rest of the server')
    for (const target of ['/v1/nothing', 'http://pets.example/v1/nothing'])
      assert.equal((await send({ ...listed, target })).status, 404)
  })

  it('prefers the next middleware to its fallback', async (t) => {
    const send = await served(t, chained(mount({ fallback: page('fallback') }), page('the next one')))
    assert.equal((await send({ target: '/elsewhere' })).text, 'the next one')
    assert.equal((await send(listed)).status, 200)
  })

  it('keeps the async context of each request', async (t) => {
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
    await Promise.all([1, 2, 3, 4].map((id) => send({ ...listed, target: `/v1/pets/${id}` })))
    assert.equal(contexts.length, 4)
    for (const [context, target] of contexts as [string, string][]) assert.equal(context, target)
  })

  it('knows the address of a client that disconnects early', async (t) => {
    const handled = new EventEmitter()
    const handler = mount({}, { onResponse: ({ client }) => handled.emit('response', client) })
    const send = await served(t, (req, res) => {
      setImmediate(() => {
        handler(req, res)
        req.socket.destroy()
      })
    })
    for (const sent of [listed, creation(rex, ['Content-Length', '99'])]) {
      const [[client]] = await Promise.all([once(handled, 'response'), assert.rejects(send(sent))])
      assert.equal(client, '127.0.0.1')
    }
  })

  it('writes nothing if another part of the server has responded', async (t) => {
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
    if (!`${url}/`.startsWith(`${prefix}/`) && !url.startsWith(`${prefix}?`)) return next()
    req.originalUrl = url
    req.url = url.slice(prefix.length).replace(/^(?!\/)/, '/')
    middleware(req, res, next)
  }
}

describe('the mount on node:http under a prefix', () => {
  for (const [prefix, basePath, matches] of [
    ['/v1', '/v1', true],
    ['/api', '/api/v1', true],
    ['/api/v1/pets', '/api/v1', true],
    ['/api', '/v1', false],
    ['/v1/v1', '/v2', false],
    ['/v1x', '/v1', false],
  ] as const) {
    const does = matches ? 'serves' : 'reports a mismatch once'
    it(`${does}: ${prefix} of ${basePath}`, async (t) => {
      const reported: unknown[] = []
      const onError = (cause: unknown) => reported.push(cause)
      const handler = mount({}, { basePath, onError })
      const send = await served(t, chained(under(prefix, handler), page('the next one')))
      const target = `${matches ? basePath : prefix}/pets?limit=1`
      for (let i = 0; i < 2; i++)
        assert.equal((await send({ ...listed, target })).text, matches ? '[]' : 'the next one')
      for (const target of ['/api', '/api?x=1', '/api/', '/api/v3', '/other'])
        assert.equal((await send({ target })).text, 'the next one', target)
      const problem = new RegExp(`mounted under ${prefix}, but its basePath is "${basePath}"`)
      assert.equal(reported.length, matches ? 0 : 1)
      assert.match(String(reported), matches ? /^$/ : problem)
    })
  }
})
