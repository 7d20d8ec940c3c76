import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openapi } from '../../../core/openapi.ts'
import { stop } from '../testing/command.ts'
import { startServer } from '../testing/program.ts'
import { send } from '../testing/request.ts'

const key = 'the-key-of-the-tests'
const env = { PET_ADOPTION_API_KEY: key }

test('a server has documentation and metrics on its main port', async () => {
  const flags = '--port 0 --base-path /animals/v1 --log json --metrics'
  const { base, ...server } = await startServer(flags, { env })
  const { origin } = new URL(base)
  assert.ok(server.stdout.text.includes(`"docs":"${origin}/docs"`))
  await send(`${base}/pets`, { key })
  await send(`${base}/pets/1`, { key: 'another' })
  const fetchPage = async (path: string, type: string) => {
    const { status, headers, body } = await send(origin + path)
    assert.deepEqual([status, headers['content-type']], [200, type])
    assert.ok(headers['x-ratelimit-limit'])
    return { headers, body }
  }

  const description = await fetchPage('/openapi.json', 'application/json')
  const servers = [{ url: `${origin}/animals/v1` }]
  assert.deepEqual(JSON.parse(description.body), { ...openapi({ basePath: '/animals/v1' }), servers })
  assert.equal(description.headers.link, '</docs>; rel="service-doc"')
  const docs = await fetchPage('/docs', 'text/html; charset=utf-8')
  assert.match(String(docs.headers['content-security-policy']), /^default-src 'none'/)
  assert.match(docs.body, /^<!doctype html>/)
  const root = await send(`${origin}/`)
  assert.deepEqual([root.status, root.headers.location], [302, '/docs'])

  const { body } = await fetchPage('/metrics', 'text/plain; version=0.0.4; charset=utf-8')
  for (const line of [
    'pet_adoption_requests_total{operation="listPets",status="200"} 1',
    'pet_adoption_requests_total{operation="getPet",status="401"} 1',
    'pet_adoption_requests_in_flight 0',
  ])
    assert.ok(body.includes(`\n${line}\n`), line)
  assert.match(body, /^pet_adoption_connections [1-9]\d*$/m)
  assert.match(body, /^nodejs_eventloop_lag_max_seconds [\d.e-]+$/m)
  assert.doesNotMatch(body, /the-key-of-the-tests|another|demo/)
  await stop(server)
})

test('a server can have metrics on their own port, and no documentation', async () => {
  const flags = '--port 0 --no-docs --trust-proxy 1 --metrics-listen 127.0.0.1:0 --log json'
  const { base, ...server } = await startServer(flags, { env })
  const [, metrics = ''] = await server.stdout.until(/"metrics":"(http:[^"]+\/metrics)"/)
  for (const path of ['/docs', '/', '/metrics'])
    assert.equal((await send(new URL(path, base).href)).status, 404, path)
  const { headers, body } = await send(new URL('/openapi.json', base).href)
  assert.deepEqual(JSON.parse(body).servers, [{ url: '/v1' }])
  assert.doesNotMatch(JSON.stringify(headers) + body + server.stdout.text, /\/docs/)

  for (const path of ['/v1/pets', '/healthz', '/docs', '/']) {
    const { status, body, headers } = await send(new URL(path, metrics).href, { key })
    assert.deepEqual([status, JSON.parse(body).code], [404, 'route_not_found'])
    assert.ok(headers['x-ratelimit-limit'])
  }
  assert.equal((await send(metrics, { method: 'POST' })).status, 405)
  for (let i = 0; i < 100; i++) {
    const { status, headers } = await send(metrics)
    assert.equal(status, 200, 'there is no limit')
    assert.ok(headers['x-ratelimit-limit'])
  }
  await stop(server)
  await assert.rejects(send(metrics), /ECONNREFUSED/)
})

test('a server has no metrics by default', async () => {
  const { base, ...server } = await startServer('--port 0', { env })
  assert.ok(server.stdout.text.includes(`documentation at ${new URL('/docs', base)}\n`))
  assert.equal((await send(new URL('/metrics', base).href)).status, 404)
  await stop(server)
})
