import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryLimiter } from '../core/index.ts'
import { codeOf } from './testing/exchange.ts'
import { auth } from './testing/mount-suite/open.ts'
import { serve } from './testing/serve.ts'
import { toBytes } from './testing/wire.ts'

const request = toBytes({ headers: [auth.free] })

test('the rejections of pipelined requests in one write count once, and a client that goes on is banned', async (t) => {
  let now = 1_800_000_000_000
  const clock = () => now
  const { connect } = await serve(t, { service: { limiter: createMemoryLimiter({ clock }), clock } })
  const burst = await connect()
  burst.write(Buffer.concat(new Array<Uint8Array>(64).fill(request)))
  const statuses = (await burst.readAll()).map(({ status }) => status)
  assert.deepEqual(statuses, [...new Array<number>(60).fill(200), ...new Array<number>(4).fill(429)])
  now += 1_000
  const wire = await connect()
  for (let rejection = 2; rejection <= 100; rejection++) {
    const expected = rejection < 100 ? 'rate_limit_exceeded' : 'api_key_banned'
    assert.equal(codeOf(await wire.ask(request)), expected, `rejection ${rejection}`)
  }
})
