import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { describe } from 'node:test'
import { createKeyStore, createPetService, sha256 } from '../../../core/index.ts'
import { testWith } from '../../contracts/testing/part.ts'
import { createNodeHandler, hardenServer, type NodeHandler, serverOptions } from '../../node-http.ts'
import { listen, shut } from '../../testing/listen.ts'
import { exampleWithPackages } from '../testing/parts.ts'

const packages = exampleWithPackages('prefix')
const require = createRequire(import.meta.url)

/** Returns the listener of an app that mounts a handler under a prefix. */
type App = (prefix: string, handler: NodeHandler) => RequestListener | Promise<RequestListener>

/** An app that mounts middleware under a path, as Connect and Express are. */
type Chain = RequestListener & { use(prefix: string, handler: NodeHandler): void }

const chain = (name: string) => (prefix: string, handler: NodeHandler) => {
  const app: Chain = require(name)()
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
    const pets = (ctx: KoaContext) => {
      ctx.respond = false
      handler(Object.assign(ctx.req, { originalUrl: ctx.originalUrl }), ctx.res)
    }
    app.use(require('koa-mount')(prefix, pets))
    return app.callback()
  },
  async 'a Nest app'(prefix, handler) {
    require('reflect-metadata')
    const { Module } = require('@nestjs/common')
    const { NestFactory } = require('@nestjs/core')
    class AppModule {}
    Module({})(AppModule)
    const app = await NestFactory.create(AppModule, { logger: false })
    app.use(prefix, handler)
    await app.init()
    return app.getHttpAdapter().getInstance()
  },
}

interface KoaContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly originalUrl: string
  respond: boolean
}

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
const headers = { Authorization: 'Bearer my-first-long-api-key', 'Content-Type': 'application/json' }

for (const [where, app] of Object.entries(apps)) {
  describe(`under a prefix in ${where}`, () => {
    const test = testWith(packages)

    async function served(t: { after(work: () => Promise<void>): void }, prefix: string, basePath: string) {
      const causes: string[] = []
      const service = createPetService({ keys, basePath, onError: (cause) => causes.push(String(cause)) })
      const server = createServer(serverOptions, await app(prefix, createNodeHandler(service)))
      hardenServer(server, service)
      const origin = `http://127.0.0.1:${await listen(server)}`
      t.after(() => shut(server))
      return {
        causes,
        send: (path: string, init?: RequestInit) => fetch(origin + path, { headers, ...init }),
      }
    }

    for (const [prefix, basePath] of [
      ['/v1', '/v1'],
      ['/shelter', '/shelter/v1'],
    ] as const) {
      test(`${prefix} the service serves its base path ${basePath} and links below it`, async (t) => {
        const { causes, send } = await served(t, prefix, basePath)
        for (const name of ['Rex', 'Tom']) {
          const body = JSON.stringify({ name, categoryId: 1 })
          assert.equal((await send(`${basePath}/pets`, { method: 'POST', body })).status, 201)
        }
        const page = await send(`${basePath}/pets?limit=1`)
        assert.equal(page.status, 200)
        assert.ok(page.headers.get('link')?.startsWith(`<${basePath}/pets?`), `${page.headers.get('link')}`)
        assert.deepEqual(causes, [])
      })
    }

    test('a mount that excludes the base path reports so', async (t) => {
      const { causes, send } = await served(t, '/shelter', '/v1')
      await send('/shelter/v1/pets')
      assert.match(causes.join(), /mounted under \/shelter, but its basePath is "\/v1"/)
    })
  })
}
