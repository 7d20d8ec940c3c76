import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe } from 'node:test'
import { allOf, mapPart, type Part, testWith } from '../../contracts/testing/part.ts'
import { bun, deno, exampleWithPackages, newestNode, root } from '../testing/parts.ts'
import { assertFollowsEveryRule, fetchOf, key } from '../testing/rules.ts'
import { type CommandLine, nodeWithTypeScript, type Serving, serving } from '../testing/serving.ts'

/** A command line, and the working directory: a tsconfig.json there counts. */
type App = Part<readonly [start: CommandLine, cwd: string]>

const packages = exampleWithPackages('mounting')
const folder = 'adapters/examples/mounting'
const onNode = (file: string): App => mapPart(packages, (cwd) => [[...nodeWithTypeScript, `${file}.ts`], cwd])
const onDeno = (file: string): App =>
  mapPart(allOf(deno, packages), ([program]) => [
    [program, 'run', '--allow-net', '--allow-env=PORT', `${folder}/${file}.ts`],
    root,
  ])

const apps: Readonly<Record<string, App>> = {
  Express: onNode('express'),
  Fastify: onNode('fastify'),
  Koa: onNode('koa'),
  NestJS: onNode('nest'),
  'Hono on Node': onNode('hono-node'),
  'Hono on Deno': onDeno('hono-deno'),
  Deno: onDeno('deno'),
  'deno serve': mapPart(allOf(deno, packages), ([program]) => [
    [program, 'serve', '--host', '127.0.0.1', '--port', '{port}', `${folder}/deno-serve.ts`],
    root,
  ]),
  Bun: mapPart(allOf(bun, packages), ([program]) => [[program, `${folder}/bun.ts`], root]),
  Workers: mapPart(allOf(newestNode, packages), ([program]) => [
    [program, '.ci/runtimes/serve-worker.mjs', `${folder}/worker.ts`, '{port}'],
    root,
  ]),
}

const authorization = { Authorization: `Bearer ${key}` }

/** Asserts that the app's own route and the operations of the service share keys and limits. */
async function assertSharesLimits(origin: string, fetch: typeof globalThis.fetch = globalThis.fetch) {
  const send = async (path: string, headers: Record<string, string>) => {
    const response = await fetch(`${origin}${path}`, { headers })
    const body = await response.json()
    return { status: response.status, body, remaining: Number(response.headers.get('X-RateLimit-Remaining')) }
  }
  const orders = await send('/v1/store/orders', authorization)
  assert.deepEqual(orders.body, [{ id: 1, by: 'shelter' }])
  assert.equal((await send('/v1/pets', authorization)).remaining, orders.remaining - 1)
  const anonymous = await send('/v1/store/orders', {})
  assert.deepEqual([anonymous.status, anonymous.body.code], [401, 'missing_api_key'])
  assert.equal((await send('/v1/pets', {})).remaining, anonymous.remaining - 1)
}

/** Requests whose URL is invalid, or only a path: without a `Host`, Bun has no other. */
const invalidTargets = [
  'GET /v1/pets HTTP/1.0',
  'GET /v1/pets HTTP/1.1',
  'GET /v1/pets HTTP/1.1\r\nHost: [',
  'GET /v1/pets HTTP/1.1\r\nHost: a:99999',
  'GET http://[/v1/pets HTTP/1.1\r\nHost: a',
  'GET // HTTP/1.1\r\nHost: a',
  'OPTIONS * HTTP/1.1\r\nHost: a',
]

for (const [name, app] of Object.entries(apps))
  describe(name, () => {
    const test = (title: string, body: (running: Serving) => Promise<void>) =>
      testWith(app)(title, async (t, [start, cwd]) => body(await serving(t, start, { cwd })))

    test('follows every rule', ({ origin }) => assertFollowsEveryRule(origin))

    test('handles an invalid Host or target', async ({ origin }) => {
      for (const lines of invalidTargets) {
        if (name === 'Workers' && !/^GET \//.test(lines)) continue // workerd itself returns a 500, to any Worker
        const socket = connect(Number(new URL(origin).port), '127.0.0.1')
        socket.write(`${lines}\r\nConnection: close\r\n\r\n`)
        const [response] = await once(socket, 'data')
        socket.destroy()
        assert.match(String(response), /^HTTP\/1\.\d [24]/, lines)
      }
    })

    if (name !== 'deno serve')
      test('shares keys and limits with its own route', ({ origin }) => assertSharesLimits(origin))

    test('serves its own page', async ({ origin }) => {
      const page = await fetch(origin)
      assert.deepEqual([page.status, await page.text()], [200, 'The shelter is open.'])
    })
  })

describe('the logger of Fastify', () => {
  testWith(apps.Fastify as App)('sees the requests of the service', async (t, [start, cwd]) => {
    const { origin, stdout } = await serving(t, start, { cwd })
    await fetch(`${origin}/v1/pets`)
    await stdout.until(/"url":"\/v1\/pets"[\s\S]*"statusCode":401/)
  })
})

/** Calls the exports that are named after the request's method, as Next.js does. */
async function openNext(): Promise<typeof fetch> {
  const pets: Readonly<Record<string, (request: Request) => Promise<Response>>> = await import(
    './app/v1/[[...path]]/route.ts'
  )
  const { GET: orders } = await import('./app/v1/store/orders/route.ts')
  return fetchOf(async (request) => {
    if (new URL(request.url).pathname === '/v1/store/orders') return orders(request)
    const handle = pets[request.method]
    assert.ok(handle, `the route has no handler for ${request.method}`)
    return handle(request)
  })
}

describe('the route handlers of Next.js', () => {
  const test = testWith(packages)

  test('share keys and limits', async () => assertSharesLimits('http://pets.test', await openNext()))

  test('follow every rule', async () => assertFollowsEveryRule('http://pets.test', await openNext()))

  test('count anonymous clients by the address that the proxy appends', async () => {
    const fetch = await openNext()
    const remaining = async (forwardedFor: string) => {
      const headers = { 'X-Forwarded-For': forwardedFor }
      return (await fetch('http://pets.test/v1/pets', { headers })).headers.get('X-RateLimit-Remaining')
    }
    assert.equal(await remaining('203.0.113.9, 198.51.100.1'), '59')
    assert.equal(await remaining('203.0.113.8, 198.51.100.1'), '58')
    assert.equal(await remaining('198.51.100.2'), '59')
  })
})
