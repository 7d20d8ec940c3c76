import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import * as ioredis from 'ioredis'
import type { RateLimiter } from '../../../core/index.ts'
import { testWith } from '../../contracts/testing/part.ts'
import {
  createPrivateCluster,
  type PrivateCluster,
  runCommand,
} from '../../contracts/testing/private-cluster.ts'
import { createRedisLimiter, type RedisClient } from '../../redis/index.ts'
import { connectRedis, type RedisConnection } from './redis-connection.ts'

const cluster = await createPrivateCluster()
const test = testWith(cluster)
const limits = [{ requests: 10, windowMs: 3_600_000 }]

async function connect({ servers }: PrivateCluster): Promise<RedisConnection> {
  const hosts = servers.map(({ port }) => ({ host: '127.0.0.1', port }))
  const connection = connectRedis(ioredis, {
    kind: 'cluster',
    hosts,
    options: {},
  })
  after(() => connection.close())
  await connection.checkStart()
  return connection
}

function createLimiter(client: RedisClient): RateLimiter {
  return createRedisLimiter({ client, timeoutMs: 5000, onFault: (error) => assert.fail(String(error)) })
}

test('a stopped server of the cluster delays only its own keys, by 100 ms', async (t, cluster) => {
  const connection = await connect(cluster)
  const limiter = createRedisLimiter({ client: connection })
  const master = await cluster.masterOf('pet-adoption:key:silent')
  const others: string[] = []
  for (let i = 0; others.length < 20; i++)
    if ((await cluster.masterOf(`pet-adoption:key:other-${i}`)) !== master) others.push(`key:other-${i}`)
  master.pause()
  t.after(() => master.resume())
  const began = performance.now()
  const silent = Array.from({ length: 100 }, async () => {
    await limiter.consume('key:silent', limits)
    return performance.now() - began
  })
  for (const key of others) assert.equal((await limiter.consume(key, limits)).remaining, 9)
  // Redis has counted them, not only this process.
  for (const key of others) assert.equal((await createLimiter(connection).peek(key, limits)).remaining, 9)
  const waits = await Promise.all(silent)
  assert.ok(Math.min(...waits) >= 90 && Math.max(...waits) < 1_000, waits.join())
  master.resume()
  await cluster.settled()
})

test('counts exactly while slots move to another server', async (_, cluster) => {
  const limiters = [createLimiter(await connect(cluster)), createLimiter(await connect(cluster))]
  const moving = 'key:329' // in slot 36: the first slots of a server move first
  const key = `pet-adoption:${moving}`
  const from = await cluster.masterOf(key)
  const id = async (port: number) => runCommand({ port }, 'CLUSTER', 'MYID')
  const ports = new Set<number>()
  for (let i = 0; ports.size < 3; i++) ports.add((await cluster.masterOf(`any-${i}`)).port)
  const target = [...ports].find((port) => port !== from.port) ?? assert.fail()
  let used = 0
  let isMoving = true
  const load = limiters.map(async (limiter) => {
    while (isMoving) {
      if ((await limiter.consume(moving, [{ requests: 1_000_000, windowMs: 3_600_000 }])).allowed) used++
      await setTimeout(1)
    }
  })
  await promisify(execFile)('redis-cli', [
    ...['--cluster', 'reshard', `127.0.0.1:${from.port}`, '--cluster-yes'],
    ...['--cluster-from', await id(from.port), '--cluster-to', await id(target), '--cluster-slots', '100'],
  ])
  isMoving = false
  await Promise.all(load)
  assert.equal((await cluster.masterOf(key)).port, target)
  const { remaining } = await (limiters[0] ?? assert.fail()).peek(moving, [
    { requests: 1_000_000, windowMs: 3_600_000 },
  ])
  assert.equal(1_000_000 - remaining, used)
})
