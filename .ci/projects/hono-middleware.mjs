// Checks that the fetch mount's responses stay complete behind Hono middleware that reads or copies them. Its argument
// is the version of @hono/node-server.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import process from 'node:process'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { cors } from 'hono/cors'
import { etag } from 'hono/etag'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createFetchHandler } from 'pet-adoption-service/fetch'

const [version] = process.argv.slice(2)
const { createAdaptorServer } = await import(`node-server-${version}`)
const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
const pets = createFetchHandler(createPetService({ keys }), { clientAddress: () => '127.0.0.1' })
const after = (change) => async (c, next) => {
  await next()
  await change(c)
}
const middlewares = {
  cors: cors(),
  etag: etag(),
  compress: compress({ threshold: 1 }),
  'c.header': after((c) => c.header('X-Own', '1')),
  'a copy': after((c) => {
    c.res = new Response(c.res.body, c.res)
  }),
  'a clone': after((c) => c.res.clone().text()),
}
const onEach = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Cache-Control']
const headers = { Authorization: 'Bearer my-first-long-api-key', 'Content-Type': 'application/json' }
const body = '{"name":"Rex","categoryId":7}'

async function assertComplete(url, init, status, ...names) {
  const response = await fetch(url, init)
  assert.equal(response.status, status)
  for (const name of [...onEach, ...names]) assert.ok(response.headers.has(name), `${status} lacks ${name}`)
  assert.match(response.headers.get('Content-Type'), /^application\/json/)
  assert.ok(await response.json())
}

for (const [name, middleware] of [...Object.entries(middlewares), ['all', Object.values(middlewares)]]) {
  const app = new Hono().use(...[middleware].flat()).all('/v1/*', (c) => pets(c.req.raw))
  const server = createAdaptorServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${server.address().port}/v1/pets`
  try {
    await assertComplete(url, { headers }, 200)
    await assertComplete(url, {}, 401, 'WWW-Authenticate')
    await assertComplete(url, { method: 'POST', headers, body }, 201)
    await assertComplete(url, { method: 'PUT', headers }, 405, 'Allow')
  } catch (cause) {
    throw new Error(`${name}: ${cause.message}`, { cause })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
