import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stop } from '../../testing/command.ts'
import { startServer } from '../../testing/program.ts'
import { send } from '../../testing/request.ts'

const key = 'the-key-of-the-tests'
const env = { PET_ADOPTION_API_KEY: key }

test('/metrics is there with --metrics, without a key, and only then', async () => {
  for (const [flag, expected] of [
    ['--metrics', 200],
    ['', 404],
  ] as const) {
    const { base, ...server } = await startServer(`--port 0 --memory --log silent ${flag}`, { env })
    await send(`${base}/pets`, { key })
    await send(`${base}/pets/1`, { key: 'another' })
    const { status, headers, body } = await send(new URL('/metrics', base).href)
    await stop(server)
    assert.equal(status, expected)
    if (status === 404) continue
    assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
    assert.ok(headers['x-ratelimit-limit'])
    for (const line of [
      'pet_adoption_requests_total{operation="listPets",status="200"} 1',
      'pet_adoption_requests_total{operation="getPet",status="401"} 1',
      'pet_adoption_requests_in_flight 0',
    ])
      assert.ok(body.includes(`\n${line}\n`), line)
    assert.match(body, /^pet_adoption_connections [1-9]\d*$/m)
    assert.match(body, /^nodejs_eventloop_lag_seconds [\d.e-]+$/m)
    assert.doesNotMatch(body, /the-key-of-the-tests|another|demo/)
  }
})

test('with --metrics-listen, the metrics have an address of their own without a limit, and nothing else is there', async () => {
  const { base, ...server } = await startServer('--port 0 --metrics-listen 127.0.0.1:0 --log json', { env })
  const [, metrics = ''] = await server.stdout.until(/"metrics":"(http:[^"]+\/metrics)"/)
  await send(`${base}/pets`, { key })
  const page = await send(metrics)
  assert.equal(page.status, 200)
  assert.ok(page.headers['x-ratelimit-limit'])
  assert.equal((await send(new URL('/metrics', base).href)).status, 404)
  for (const path of ['/v1/pets', '/healthz', '/docs', '/']) {
    const { status, body, headers } = await send(new URL(path, metrics).href, { key })
    assert.deepEqual([status, JSON.parse(body).code], [404, 'route_not_found'])
    assert.ok(headers['x-ratelimit-limit'])
  }
  assert.equal((await send(metrics, { method: 'POST' })).status, 405)
  for (let i = 0; i < 100; i++) assert.equal((await send(metrics)).status, 200, 'there is no limit')
  await stop(server)
  await assert.rejects(send(metrics), /ECONNREFUSED/)
})
