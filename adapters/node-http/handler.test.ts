import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import type { ServiceOptions } from '../../core/index.ts'
import type { Send } from '../testing/exchange.ts'
import { closeServer, listen } from '../testing/listen.ts'
import { authHeaders, createTestService, rex, toCreateRequest } from '../testing/mount-suite/open-mount.ts'
import { exchange } from '../testing/wire.ts'
import { createNodeHandler, type NodeHandlerOptions } from './index.ts'

async function startServer(t: TestContext, listener: RequestListener): Promise<Send> {
  const server = createServer(listener)
  const port = await listen(server)
  t.after(() => closeServer(server))
  return (sent = {}) => exchange(port, sent)
}

const createHandler = (options?: NodeHandlerOptions, service?: Partial<ServiceOptions>) =>
  createNodeHandler(createTestService(service), options)

const respondWith = (text: string) => (_req: IncomingMessage, res: ServerResponse) => {
  res.end(text)
}

type Middleware = (req: IncomingMessage, res: ServerResponse, next: () => void) => void

/** Runs middleware in order, as Express does. */
function chainMiddleware(...all: readonly Middleware[]): RequestListener {
  return (req, res) => {
    const go = (i: number): void => all[i]?.(req, res, () => go(i + 1))
    go(0)
  }
}

const listRequest = { headers: [authHeaders.zoo] }

describe('createNodeHandler', () => {
  it('passes paths outside the base path to the fallback', async (t) => {
    const send = await startServer(t, createHandler({ fallback: respondWith('the rest of the server') }))
    for (const target of ['/', '/v1x', '/v2/pets', '*'])
      assert.equal((await send({ target, method: 'OPTIONS' })).text, 'the rest of the server')
    for (const target of ['/v1/nothing', 'http://pets.example/v1/nothing'])
      assert.equal((await send({ ...listRequest, target })).status, 404)
  })

  it('prefers next to the fallback', async (t) => {
    const send = await startServer(
      t,
      chainMiddleware(createHandler({ fallback: respondWith('fallback') }), respondWith('the next one')),
    )
    assert.equal((await send({ target: '/elsewhere' })).text, 'the next one')
    assert.equal((await send(listRequest)).status, 200)
  })

  it('runs each request in its own AsyncLocalStorage context', async (t) => {
    const context = new AsyncLocalStorage<string>()
    const contexts: unknown[] = []
    const handler = createHandler()
    const send = await startServer(
      t,
      chainMiddleware(
        (req, _res, next) => context.run(req.url ?? '', next),
        (req, res, next) => {
          res.once('finish', () => contexts.push([context.getStore(), req.url]))
          handler(req, res, next)
        },
      ),
    )
    await Promise.all([1, 2, 3, 4].map((id) => send({ ...listRequest, target: `/v1/pets/${id}` })))
    assert.equal(contexts.length, 4)
    for (const [context, target] of contexts as [string, string][]) assert.equal(context, target)
  })

  it('knows the client address after the socket is destroyed', async (t) => {
    const handled = new EventEmitter()
    const handler = createHandler(
      {},
      { onResponse: ({ clientAddress }) => handled.emit('response', clientAddress) },
    )
    const send = await startServer(t, (req, res) => {
      setImmediate(() => {
        handler(req, res)
        req.socket.destroy()
      })
    })
    for (const sent of [listRequest, toCreateRequest(rex, ['Content-Length', '99'])]) {
      const [[client]] = await Promise.all([once(handled, 'response'), assert.rejects(send(sent))])
      assert.equal(client, '127.0.0.1')
    }
  })

  it('adds nothing to a response that was already sent', async (t) => {
    const handler = createHandler({}, { keys: { find: async () => undefined } })
    const send = await startServer(t, (req, res) => {
      handler(req, res)
      res.end('too early')
    })
    assert.equal((await send(listRequest)).text, 'too early')
  })
})

/** Mounts middleware under a prefix, as Express does. */
function mountUnder(prefix: string, middleware: Middleware): Middleware {
  return (req: IncomingMessage & { originalUrl?: string | undefined }, res, next) => {
    const { url = '' } = req
    if (!`${url}/`.startsWith(`${prefix}/`) && !url.startsWith(`${prefix}?`)) return next()
    req.originalUrl = url
    req.url = url.slice(prefix.length).replace(/^(?!\/)/, '/')
    middleware(req, res, next)
  }
}

describe('a handler under a prefix', () => {
  for (const [prefix, basePath, matches] of [
    ['/v1', '/v1', true],
    ['/api', '/api/v1', true],
    ['/api/v1/pets', '/api/v1', true],
    ['/api', '/v1', false],
    ['/v1/v1', '/v2', false],
    ['/v1x', '/v1', false],
  ] as const) {
    const does = matches ? 'serves' : 'reports once that no path matches'
    it(`${does} ${basePath} under ${prefix}`, async (t) => {
      const reported: unknown[] = []
      const onError = (cause: unknown) => reported.push(cause)
      const handler = createHandler({}, { basePath, onError })
      const send = await startServer(
        t,
        chainMiddleware(mountUnder(prefix, handler), respondWith('the next one')),
      )
      const target = `${matches ? basePath : prefix}/pets?limit=1`
      for (let i = 0; i < 2; i++)
        assert.equal((await send({ ...listRequest, target })).text, matches ? '[]' : 'the next one')
      for (const target of ['/api', '/api?x=1', '/api/', '/api/v3', '/other'])
        assert.equal((await send({ target })).text, 'the next one', target)
      const problem = new RegExp(`mounted under ${prefix}, but its basePath is "${basePath}"`)
      assert.equal(reported.length, matches ? 0 : 1)
      assert.match(String(reported), matches ? /^$/ : problem)
    })
  }
})
