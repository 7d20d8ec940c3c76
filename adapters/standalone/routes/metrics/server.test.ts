import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { listen } from '../../../testing/listen.ts'
import { lacks } from '../../../testing/machine.ts'
import { stop } from '../../testing/command.ts'
import { baseAddressOf, recordsOf, start, startServer } from '../../testing/program.ts'
import { send } from '../../testing/request.ts'

const env = { PET_ADOPTION_API_KEY: 'the-key-of-the-tests' }
const key = 'the-key-of-the-tests'

for (const [flags, status] of [
  ['--metrics --log silent', 200],
  ['--log silent', 404],
] as const) {
  test(`/metrics returns ${status} with ${flags}`, async () => {
    const { base, ...server } = await startServer(`--port 0 --memory ${flags}`, { env })
    await send(`${base}/pets`, { key: 'the-key-of-the-tests' })
    await send(`${base}/pets/1`, { key: 'another' })
    const metrics = await send(new URL('/metrics', base).href)
    await stop(server)

    assert.equal(metrics.status, status)
    if (status !== 200) return
    assert.equal(metrics.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
    assert.ok(metrics.headers['x-ratelimit-limit'])
    assert.match(metrics.body, /^pet_adoption_requests_total\{operation="listPets",status="200"\} 1$/m)
    assert.match(metrics.body, /^pet_adoption_connections [1-9]\d*$/m)
    assert.match(metrics.body, /^pet_adoption_requests_in_flight 0$/m)
    assert.match(metrics.body, /^pet_adoption_build_info\{version="\d+\.\d+\.\d+"\} 1$/m)
    assert.match(metrics.body, /^nodejs_eventloop_lag_seconds [\d.e-]+$/m)
    assert.match(metrics.body, /^pet_adoption_requests_total\{operation="getPet",status="401"\} 1$/m)
    assert.doesNotMatch(metrics.body, /the-key-of-the-tests|demo/)
  })
}

test('with --metrics-listen, the metrics have an address of their own without a limit, and nothing else is there', async () => {
  const { base, ...server } = await startServer('--port 0 --metrics-listen 127.0.0.1:0', { env })
  const [, metrics = ''] = await server.stdout.until(/^metrics at (http:\S+)$/m)
  await send(`${base}/pets`, { key })
  const page = await send(metrics)
  assert.equal(page.status, 200)
  assert.ok(page.headers['x-ratelimit-limit'])
  assert.match(page.body, /^pet_adoption_requests_total\{operation="listPets",status="200"\} 1$/m)
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

test('the address of the metrics is a field of the log in JSON', { skip: lacks.ipv6 }, async () => {
  const server = start('--port 0 --metrics-listen [::1]:0 --log json', { env })
  await baseAddressOf(server)
  const [record] = recordsOf(server.stdout).filter(({ event }) => event === 'listening')
  assert.match(String(record?.metrics), /^http:\/\/\[::1\]:\d+\/metrics$/)
  await stop(server)
})

test('a port of the metrics that is in use stops the start, and the message names its flag', async () => {
  const other = createServer()
  const port = await listen(other)
  const server = start(`--port 0 --metrics-listen 127.0.0.1:${port}`, { env })
  assert.equal(await server.exitCode, 1)
  assert.match(server.stderr.text, /in use: stop what uses it, or choose another with --metrics-listen/)
  assert.equal(server.stdout.text, '')
  other.close()
})
