import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { testWith } from '../../contracts/testing/part.ts'
import { createNodeHandler, hardenServer, type NodeHandler, serverOptions } from '../../node-http/index.ts'
import { listen, shut } from '../../testing/listen.ts'
import { creation, rex, testService } from '../../testing/mount-suite/open.ts'
import { exchange } from '../../testing/wire.ts'
import { exampleWithPackages } from '../testing/parts.ts'

const packages = exampleWithPackages('prefix')
const require = createRequire(import.meta.url)

/** Returns the listener of an app that mounts a handler under a prefix. */
type App = (prefix: string, handler: NodeHandler) => RequestListener | Promise<RequestListener>

/** Mounts as Connect and Express do. */
const chain = (name: string) => (prefix: string, handler: NodeHandler) => {
  const app = require(name)()
  app.use(prefix, handler)
  return app
}

const apps: Readonly<Record<string, App>> = {
  'a Connect app': chain('connect'),
  'an Express app': chain('express'),
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
    // koa-mount cuts the prefix off the URL of the request, and Koa stores the whole URL in the context.
    const pets = (ctx: { req: IncomingMessage; res: ServerResponse; originalUrl: string }) => {
      const { req, res, originalUrl } = Object.assign(ctx, { respond: false })
      handler(Object.assign(req, { originalUrl }), res)
      return once(res, 'close') // then koa-mount restores the URL
    }
    app.use(require('koa-mount')(prefix, pets))
    return app.callback()
  },
}

for (const [where, app] of Object.entries(apps))
  testWith(packages)(
    `under a prefix in ${where} the service serves its base path, and reports one that cannot match`,
    async (t) => {
      for (const [prefix, basePath, problem, status] of [
        ['/v1', '/v1', /^$/, 201],
        ['/shelter', '/shelter/v1', /^$/, 201],
        ['/shelter', '/v1', /mounted under \/shelter, but its basePath is "\/v1"/, 404],
      ] as const) {
        const problems: unknown[] = []
        const service = testService({ basePath, onError: (cause) => problems.push(cause) })
        const server = createServer(serverOptions, await app(prefix, createNodeHandler(service)))
        hardenServer(server, service)
        const port = await listen(server)
        t.after(() => shut(server))
        const target = `${basePath === prefix ? '' : prefix}/v1/pets`
        assert.equal((await exchange(port, { ...creation(rex), target })).status, status)
        assert.match(problems.join(), problem)
      }
    },
  )
