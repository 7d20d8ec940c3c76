import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stop } from '../../testing/command.ts'
import { startServer } from '../../testing/program.ts'
import { send } from '../../testing/request.ts'

const env = { PET_ADOPTION_API_KEY: 'the-key-of-the-tests' }

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
