import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import type { ServiceOptions } from '../core/index.ts'
import { createNodeHandler, type NodeHandlerOptions } from './node-http.ts'
import { json, type Received, type Sent } from './testing/exchange.ts'
import { addition, auth, testService } from './testing/mount-suite/open.ts'
import { listen, shut } from './testing/mounts.ts'
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

const own = (text: string) => (_req: IncomingMessage, res: ServerResponse) => {
  res.end(text)
}

type Middleware = (req: IncomingMessage, res: ServerResponse, next: () => void) => void

/** What Connect and Express do, at their smallest. */
function inTurn(...all: readonly Middleware[]): RequestListener {
  return (req, res) => {
    const go = (i: number): void => all[i]?.(req, res, () => go(i + 1))
    go(0)
  }
}

const listed = { headers: [auth.zoo] }

describe('the mount on node:http', () => {
  it('serves a bare server, and answers what is outside the base path itself', async (t) => {
    const send = await served(t, mount())
    assert.equal((await send(listed)).status, 200)
    const outside = await send({ target: '/elsewhere' })
    assert.equal(json<{ code: string }>(outside).code, 'route_not_found')
  })

  it('hands what is outside the base path to the fallback of an existing server', async (t) => {
    const send = await served(t, mount({ fallback: own('the rest of the server') }))
    for (const target of ['/', '/v1x', '/v2/pets', '*']) {
      assert.equal((await send({ target, method: 'OPTIONS' })).text, 'the rest of the server')
    }
    assert.equal((await send(listed)).status, 200)
    assert.equal((await send({ target: '/v1/nothing', headers: [auth.zoo] })).status, 404)
    assert.equal((await send({ target: 'http://pets.example/v1/pets', headers: [auth.zoo] })).status, 200)
  })

  it('finishes each of the requests that come at once in the context it came in', async (t) => {
    const context = new AsyncLocalStorage<string>()
    const contexts: unknown[] = []
    const send = await served(
      t,
      inTurn(
        (req, _res, next) => context.run(req.url ?? '', next),
        (req, res, next) => {
          res.once('finish', () => contexts.push([context.getStore(), req.url]))
          mount()(req, res, next)
        },
      ),
    )
    await Promise.all([1, 2, 3, 4].map((id) => send({ target: `/v1/pets/${id}`, headers: [auth.zoo] })))
    assert.equal(contexts.length, 4)
    for (const [own, target] of contexts as [string, string][]) assert.equal(own, target)
  })

  it('passes what is outside the base path on in a chain of middleware, rather than to its fallback', async (t) => {
    const before: Middleware = (_req, res, next) => {
      res.setHeader('X-Before', 'yes')
      next()
    }
    const send = await served(t, inTurn(before, mount({ fallback: own('fallback') }), own('the next one')))
    const passed = await send({ target: '/elsewhere' })
    assert.deepEqual([passed.text, passed.headers.get('x-before')], ['the next one', 'yes'])
    const answered = await send(addition('{"name":"Rex","categoryId":1}'))
    assert.equal(answered.status, 201)
  })

  it('serves two versions side by side, each below its own path', async (t) => {
    const send = await served(
      t,
      inTurn(mount({}, { basePath: '/a/v1' }), mount({}, { basePath: '/b/v1' }), own('none')),
    )
    await send({ ...addition('{"name":"Rex","categoryId":1}'), target: '/a/v1/pets' })
    assert.equal(json<[]>(await send({ target: '/a/v1/pets', headers: [auth.zoo] })).length, 1)
    assert.equal(json<[]>(await send({ target: '/b/v1/pets', headers: [auth.zoo] })).length, 0)
    assert.equal((await send({ target: '/v1/pets' })).text, 'none')
  })

  it('serves the root of a server where the base path is empty', async (t) => {
    const send = await served(t, mount({ fallback: own('never') }, { basePath: '' }))
    assert.equal((await send({ target: '/pets', headers: [auth.zoo] })).status, 200)
    assert.equal((await send({ target: '/elsewhere', headers: [auth.zoo] })).status, 404)
  })

  it('knows a stranger by the address of the connection', async (t) => {
    const events: unknown[] = []
    const decide = (key: string) => {
      events.push(key)
      return { allowed: true, banned: false, limit: 1, remaining: 0, reset: 1, waitMs: 0 }
    }
    const limiter = { consume: decide, peek: decide }
    const send = await served(t, mount({}, { limiter }))
    await send({})
    assert.deepEqual(events, ['address:127.0.0.1'])
  })

  it('sees the repeated values of a header that Node drops', async (t) => {
    const send = await served(t, mount())
    const answer = await send({ headers: [auth.zoo, ['authorization', 'Bearer other']] })
    assert.equal(json<{ code: string }>(answer).code, 'invalid_api_key')
  })

  it('does not answer twice where somebody else has answered meanwhile', async (t) => {
    const handler = mount({}, { keys: { find: async () => undefined } })
    const send = await served(t, (req, res) => {
      handler(req, res)
      res.end('too early')
    })
    assert.equal((await send(listed)).text, 'too early')
  })
})
