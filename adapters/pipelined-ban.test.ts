import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyStore, createMemoryLimiter, sha256 } from '../core/index.ts'
import { serve } from './testing/serve.ts'
import { toBytes } from './testing/wire.ts'

const key = 'a-key-for-pipelined-requests'
const request = toBytes({ headers: [['Authorization', `Bearer ${key}`]] })

test('the rejections of pipelined requests in one write count once, and a client that goes on is banned', async (t) => {
  let now = 1_800_000_000_000
  const clock = () => now
  const keys = createKeyStore([{ id: 'free', sha256: sha256(key), plan: 'free' }])
  const server = await serve(t, { service: { keys, limiter: createMemoryLimiter({ clock }), clock } })
  let wire = await server.connect()

  async function read(): Promise<string> {
    const response = await wire.read()
    assert.ok(response)
    return response.status === 429 ? JSON.parse(response.text).code : String(response.status)
  }

  wire.write(Buffer.concat(new Array<Uint8Array>(64).fill(request)))
  const burst: string[] = []
  while (burst.length < 64) burst.push(await read())
  assert.deepEqual(burst, [
    ...new Array<string>(60).fill('200'),
    ...new Array<string>(4).fill('rate_limit_exceeded'),
  ])

  wire = await server.connect()
  now += 1_000
  for (let rejection = 2; rejection <= 100; rejection++) {
    wire.write(request)
    const expected = rejection < 100 ? 'rate_limit_exceeded' : 'api_key_banned'
    assert.equal(await read(), expected, `rejection ${rejection}`)
  }
})
