import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Decision } from '../../core/index.ts'
import { createCaseClock } from '../contracts/rate-limiter/cases.ts'
import { createRedisLimiter, type RedisClient } from '../redis.ts'

const limits = [{ requests: 10, windowMs: 3_600_000 }]
const admission = [1, 0, 10, 9, 1_800_003_601, 0, 0, 0]

/** A cluster of two servers: keys that end with `silent` are on one that never responds. */
function halfSilent(): { client: RedisClient; sent: string[] } {
  const sent: string[] = []
  return {
    sent,
    client: {
      shardOf: (key) => (key.endsWith('silent') ? 1 : 0),
      send(_, key) {
        sent.push(key)
        return key.endsWith('silent') ? new Promise<never>(() => {}) : Promise.resolve(admission)
      },
    },
  }
}

test('a silent server of a cluster does not hold the places of calls to the others', async () => {
  const { client } = halfSilent()
  const order: string[] = []
  const limiter = createRedisLimiter({ client, timeoutMs: 200, onFault: () => order.push('silent') })
  const consume = async (key: string): Promise<Decision> => limiter.consume(key, limits)
  const waiting = Array.from({ length: 200 }, (_, i) => consume(`key:${i}-silent`))
  const others = await Promise.all(Array.from({ length: 100 }, (_, i) => consume(`key:${i}`)))
  order.push('others')
  await Promise.all(waiting)
  assert.ok(others.every(({ remaining, reset }) => remaining === 9 && reset === 1_800_003_601))
  assert.deepEqual(order, ['others', 'silent'])
})

test('a silent server of a cluster is left alone, while the others are called each time', async () => {
  const { client, sent } = halfSilent()
  const clock = createCaseClock()
  const reports: string[] = []
  const limiter = createRedisLimiter({
    client,
    clock: clock.now,
    timeoutMs: 10,
    onFault: (_, part) => reports.push(`${part} failed`),
    onRecover: (part) => reports.push(`${part} recovered`),
  })
  for (let i = 0; i < 10; i++) {
    await limiter.consume('key:silent', limits)
    await limiter.consume('key:a', limits)
  }
  assert.equal(sent.filter((key) => key.endsWith('silent')).length, 3)
  assert.equal(sent.length, 13)
  assert.deepEqual(reports, ['redis failed'])
})

test('a cluster has recovered once none of its servers fails', async () => {
  const failing = new Set(['0', '1'])
  const reports: string[] = []
  const limiter = createRedisLimiter({
    client: {
      shardOf: (key) => Number(key.at(-1)),
      send: async (_, key) => {
        if (failing.has(key.at(-1) ?? '')) throw new Error('gone')
        return admission
      },
    },
    onFault: () => reports.push('failed'),
    onRecover: () => reports.push('recovered'),
  })
  const both = async () => {
    await limiter.consume('key:0', limits)
    await limiter.consume('key:1', limits)
  }
  await both()
  failing.delete('0')
  await both()
  assert.deepEqual(reports, ['failed', 'failed'])
  failing.delete('1')
  await both()
  assert.deepEqual(reports, ['failed', 'failed', 'recovered'])
})

test('a server that has recovered is called again by requests for keys of another server', async () => {
  const { client } = halfSilent()
  const clock = createCaseClock()
  const reports: string[] = []
  const calls = { ...client, send: client.send }
  const limiter = createRedisLimiter({
    client: {
      shardOf: (key) => (key.endsWith('silent') ? 1 : 0),
      send: (args, key) => calls.send(args, key),
    },
    clock: clock.now,
    timeoutMs: 10,
    onFault: () => reports.push('failed'),
    onRecover: () => reports.push('recovered'),
  })
  for (let i = 0; i < 3; i++) await limiter.consume('key:silent', limits)
  calls.send = async () => admission
  clock.advance(1000)
  await limiter.consume('key:a', limits)
  await limiter.consume('key:a', limits)
  assert.deepEqual(reports, ['failed', 'recovered'])
  assert.equal((await limiter.consume('key:silent', limits)).reset, 1_800_003_601)
})
