import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { testWith } from '../../contracts/testing/resource.ts'
import { createNodeHandler, hardenServer, type NodeHandler, serverOptions } from '../../node-http/index.ts'
import { closeServer, listen } from '../../testing/listen.ts'
import { createTestService, rex, toCreateRequest } from '../../testing/mount-suite/open-mount.ts'
import { exchange } from '../../testing/wire.ts'
import { findExampleFolder } from '../testing/parts.ts'

const packages = findExampleFolder('prefix')
const require = createRequire(import.meta.url)

/** Mounts a handler under a prefix, and returns the app's listener. */
type App = (prefix: string, handler: NodeHandler) => RequestListener | Promise<RequestListener>

/** Mounts a handler with `app.use`, as in Connect and Express. */
const createConnectApp = (name: string) => (prefix: string, handler: NodeHandler) => {
  const app = require(name)()
  app.use(prefix, handler)
  return app
}

const apps: Readonly<Record<string, App>> = {
  'a Connect app': createConnectApp('connect'),
  'an Express app': createConnectApp('express'),
  async 'a Fastify app with middie'(prefix, handler) {
    const app = require('fastify')()
    await app.register(require('@fastify/middie'))
    app.use(prefix, handler)
    await app.ready()
    return app.routing
  },
  'a Koa app with koa-mount'(prefix, handler) {
    const Koa = require('koa')
    const app = new Koa()
    // koa-mount removes the prefix from the request, and Koa stores the complete target in the context.
    const pets = (ctx: { req: IncomingMessage; res: ServerResponse; originalUrl: string }) => {
      const { req, res, originalUrl } = Object.assign(ctx, { respond: false })
      handler(Object.assign(req, { originalUrl }), res)
      return once(res, 'close') // koa-mount then restores the target
    }
    app.use(require('koa-mount')(prefix, pets))
    return app.callback()
  },
}

for (const [where, app] of Object.entries(apps))
  testWith(packages)(`${where} serves the interface under a prefix that matches its base path`, async (t) => {
    for (const [prefix, basePath, problem, status] of [
      ['/v1', '/v1', /^$/, 201],
      ['/shelter', '/shelter/v1', /^$/, 201],
      ['/shelter', '/v1', /mounted under \/shelter, but its basePath is "\/v1"/, 404],
    ] as const) {
      const problems: unknown[] = []
      const service = createTestService({ basePath, onError: (cause) => problems.push(cause) })
      const server = createServer(serverOptions, await app(prefix, createNodeHandler(service)))
      hardenServer(server, service)
      const port = await listen(server)
      t.after(() => closeServer(server))
      const target = `${basePath === prefix ? '' : prefix}/v1/pets`
      assert.equal((await exchange(port, { ...toCreateRequest(rex), target })).status, status)
      assert.match(problems.join(), problem)
    }
  })
