import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { BanPolicy, Decision, Limit, RateLimiter } from '../../core/index.ts'
import { type Account, accountEmptyAt, createAccount, decide, peekAccount } from '../../core/limiter.ts'
import { createCaseClock } from '../contracts/rate-limiter/cases.ts'
import { testWith } from '../contracts/testing/part.ts'
import { createPrivateRedis } from '../contracts/testing/private-redis.ts'
import { connectTo, type TestRedis } from '../contracts/testing/redis.ts'
import { createRedisLimiter, nodeRedisClient, type RedisLimiterOptions } from '../redis.ts'

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
  return createRedisLimiter({ client: nodeRedisClient(server()), timeoutMs: 5000, ...options })
}

async function usedMemory(): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(String(await server().sendCommand(['INFO', 'memory'])))?.[1])
}

async function bytesOf(keys: readonly string[]): Promise<number> {
  const sizes = await Promise.all(keys.map((key) => server().sendCommand(['MEMORY', 'USAGE', key])))
  return sizes.map(Number).reduce((sum, bytes) => sum + bytes, 0)
}

/** Sends one request from each of `addresses` addresses. */
async function flood(limiter: RateLimiter, addresses: number): Promise<void> {
  for (let first = 0; first < addresses; first += 100)
    await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        limiter.consume(`address:2001:db8:${(first + i).toString(16)}::`, limitsOfAddresses),
      ),
    )
}

/** Sends twenty requests through each limiter. Returns how many were admitted. */
async function countAdmitted(limiters: readonly RateLimiter[], key: string): Promise<number> {
  const requests = limiters.flatMap((limiter) =>
    Array.from({ length: 20 }, () => limiter.consume(key, tenAnHour)),
  )
  return (await Promise.all(requests)).filter(({ allowed }) => allowed).length
}

test('a flood of addresses stores a bounded amount, and keys are counted exactly during it', async () => {
  await server().sendCommand(['FLUSHALL'])
  const limiter = limiterOf({ maxAddresses: 800 })
  await limiter.consume('key:a', tenAnHour)
  await flood(limiter, 5000)
  const strings = Array.from({ length: 50 }, (_, i) => `pet-adoption:addresses:${i}`)
  const bytes = await bytesOf(strings)
  assert.ok(bytes < 800 * 100, `${bytes} bytes for 800 addresses`)
  assert.equal(await server().sendCommand(['DBSIZE']), 51)
  assert.equal(await countAdmitted([limiter], 'key:a'), 9)
})

test('100,000 addresses, each rejected 99 times within a minute, take less than 64 MiB', async () => {
  await server().sendCommand(['FLUSHALL'])
  const clock = createCaseClock()
  const consume = async (address: number) =>
    // A new limiter, so that Redis is called each time.
    limiterOf({ maxAddresses: 16, clock: clock.now }).consume(`address:${address}`, limitsOfAddresses)
  const addresses = Array.from({ length: 16 }, (_, i) => i)
  for (let i = 0; i < 61; i++) await Promise.all(addresses.map(consume))
  clock.advance(100)
  for (let i = 0; i < 98; i++) {
    clock.advance(i % 9 < 5 ? 1000 : 100) // the most digits that fit into a minute
    await Promise.all(addresses.map(consume))
  }
  const bytes = Number(await server().sendCommand(['MEMORY', 'USAGE', 'pet-adoption:addresses:0']))
  const bytesOfExpiry = 100
  const all = (bytes + bytesOfExpiry) * (100_000 / 16)
  assert.ok(all > 50 * 2 ** 20 && all <= 64 * 2 ** 20, `${bytes} bytes for 16 addresses`)
})

test('a Redis without memory still counts keys for all processes, and each process counts addresses', async () => {
  await server().sendCommand(['FLUSHALL'])
  const clock = createCaseClock()
  const reports: string[] = []
  const [one, two] = [1, 2].map(() =>
    limiterOf({
      clock: clock.now,
      onFault: (error) => reports.push(String(error)),
      onRecover: () => reports.push('recovered'),
    }),
  )
  assert.ok(one && two)
  await one.consume('key:known', tenAnHour)
  const limit = String((await usedMemory()) + 100_000)
  await server().sendCommand(['CONFIG', 'SET', 'maxmemory', limit])
  await flood(one, 3000)
  assert.equal(await countAdmitted([one, two], 'key:known'), 9)
  assert.equal(await countAdmitted([one, two], 'key:new'), 10)
  assert.equal(await countAdmitted([one], 'address:192.0.2.1'), 10)
  assert.match(reports.join(), /^[^,]*OOM[^,]*$/)

  await server().sendCommand(['CONFIG', 'SET', 'maxmemory', '0'])
  clock.advance(1000)
  assert.equal((await one.consume('address:192.0.2.2', tenAnHour)).remaining, 9)
  assert.equal((await two.consume('address:192.0.2.2', tenAnHour)).remaining, 8)
  assert.equal(reports.at(-1), 'recovered')
})

/** All times are multiples of this, so that no string expires by the clock of Redis while a case stands still. */
const tickMs = 10_000
const policy: BanPolicy = {
  refusals: 3,
  withinMs: 6 * tickMs,
  firstMs: 12 * tickMs,
  longestMs: 40 * tickMs,
  rememberMs: 20 * tickMs,
}
const limits = [
  { requests: 2, windowMs: 6 * tickMs },
  { requests: 5, windowMs: 20 * tickMs },
]

/** Decides as the script should for one string, by means of core. */
function createModel(room: number) {
  const records = new Map<string, { account: Account; ends: number }>()
  return (name: string, limits: readonly Limit[], now: number, isPeek: boolean): Decision => {
    for (const [other, { ends }] of records) if (ends <= now) records.delete(other)
    const named = records.size - (records.has('shared') ? 1 : 0)
    const place = records.has(name) || named < room ? name : 'shared'
    const account = records.get(place)?.account ?? createAccount(limits, now)
    const ban = place === 'shared' ? undefined : policy
    const decision = isPeek ? peekAccount(account, limits, now) : decide(account, limits, ban, now)
    const ends = accountEmptyAt(account, limits, ban)
    if (ends > now) records.set(place, { account, ends })
    else records.delete(place)
    return decision
  }
}

const steps = fc.array(
  fc.record({
    address: fc.nat(5),
    ticks: fc.constantFrom(0, 0, 0, 0, 1, 3, 13, -1),
    isPeek: fc.constantFrom(false, false, false, true),
  }),
  { minLength: 10, maxLength: 60 },
)

test('addresses of one string are decided as core does, and share one account where it has no room', async () => {
  let runs = 0
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(4), async (steps, room) => {
      const prefix = `run-${runs++}:`
      const model = createModel(room)
      let now = 1_800_000_000_000
      for (const { address, ticks, isPeek } of steps) {
        now += ticks * tickMs
        const clock = () => now
        const limiter = limiterOf({ prefix, maxAddresses: room, clock, ban: policy })
        assert.deepEqual(
          await limiter[isPeek ? 'peek' : 'consume'](`address:${address}`, limits),
          model(String(address), limits, now, isPeek),
        )
      }
    }),
    { numRuns: 60, seed: 1, includeErrorInReport: true },
  )
})
