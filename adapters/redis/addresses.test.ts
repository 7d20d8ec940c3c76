import assert from 'node:assert/strict'
import type { RateLimiter } from '../../core/index.ts'
import { createCaseClock } from '../contracts/case-clock.ts'
import { testWith } from '../contracts/testing/part.ts'
import { createPrivateRedis } from '../contracts/testing/private-redis.ts'
import { connectTo, type TestRedis } from '../contracts/testing/redis.ts'
import { createRedisLimiter, type RedisLimiterOptions, redisClient } from '../redis.ts'

const redis = await createPrivateRedis()
const test = testWith(redis)
const connection = 'value' in redis ? await connectTo(`redis://127.0.0.1:${redis.value.port}`) : undefined
const tenAnHour = [{ requests: 10, windowMs: 3_600_000 }]
const limitsOfAddresses = [
  { requests: 60, windowMs: 60_000 },
  { requests: 1000, windowMs: 86_400_000 },
]

function server(): TestRedis {
  assert.ok(connection)
  return connection
}

function limiterOf(options: Partial<RedisLimiterOptions> = {}): RateLimiter {
  return createRedisLimiter({ client: redisClient(server()), timeoutMs: 5000, ...options })
}

/** Sends twenty requests through each limiter. Returns how many were admitted. */
async function countAdmitted(limiters: readonly RateLimiter[], key: string): Promise<number> {
  const requests = limiters.flatMap((limiter) =>
    Array.from({ length: 20 }, () => limiter.consume(key, tenAnHour)),
  )
  return (await Promise.all(requests)).filter(({ allowed }) => allowed).length
}

test('all addresses together, each rejected 99 times within a minute, take less than 20 MiB', async () => {
  await server().sendCommand(['FLUSHALL'])
  const clock = createCaseClock()
  const consume = async () =>
    // A new limiter, so that Redis is called each time.
    limiterOf({ clock: clock.now }).consume('address:192.0.2.1', limitsOfAddresses)
  for (let i = 0; i < 61; i++) await consume()
  clock.advance(100)
  for (let i = 0; i < 98; i++) {
    clock.advance(i % 9 < 5 ? 1000 : 100) // the most digits that fit into a minute
    await consume()
  }
  const [place] = (await server().sendCommand(['KEYS', 'pet-adoption:address:*'])) as string[] // of Redis
  const bytes = Number(await server().sendCommand(['MEMORY', 'USAGE', place ?? '']))
  const bytesOfExpiry = 100
  assert.ok((bytes + bytesOfExpiry) * 65_536 <= 20 * 2 ** 20, `${bytes} bytes`)
  assert.equal((await consume()).banned, true)
})

test('a Redis without memory goes on counting keys and addresses for all processes', async () => {
  await server().sendCommand(['FLUSHALL'])
  const [one, two] = [1, 2].map(() => limiterOf({ onFault: (error) => assert.fail(String(error)) }))
  assert.ok(one && two)
  await one.consume('key:known', tenAnHour)
  await server().sendCommand(['CONFIG', 'SET', 'maxmemory', '1'])
  assert.equal(await countAdmitted([one, two], 'key:known'), 9)
  assert.equal(await countAdmitted([one, two], 'key:new'), 10)
  assert.equal(await countAdmitted([one, two], 'address:192.0.2.1'), 10)
  await server().sendCommand(['CONFIG', 'SET', 'maxmemory', '0'])
})
