import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import * as redis from 'redis'
import type { RateLimiter } from '../../../core/index.ts'
import { testWith } from '../../contracts/testing/part.ts'
import {
  commandOf,
  createPrivateCluster,
  type PrivateCluster,
} from '../../contracts/testing/private-cluster.ts'
import { slotOf } from '../../redis/client.ts'
import { createRedisLimiter, nodeRedisCluster, type RedisClient } from '../../redis.ts'
import { connectRedis } from './redis-masters.ts'
import type { RedisConnection } from './redis-server.ts'

const cluster = await createPrivateCluster()
const test = testWith(cluster)
const limits = [{ requests: 10, windowMs: 3_600_000 }]

async function connect({ servers }: PrivateCluster): Promise<RedisConnection> {
  const seeds = servers.map(({ port }) => ({ host: '127.0.0.1', port }))
  const connection = connectRedis(redis, { kind: 'cluster', seeds, credentials: {}, tls: false })
  after(() => connection.close())
  assert.equal(await connection.refresh(), undefined)
  return connection
}

async function driverCluster({ servers }: PrivateCluster): Promise<RedisClient> {
  const rootNodes = servers.map(({ port }) => ({ url: `redis://127.0.0.1:${port}` }))
  const client = redis.createCluster({ rootNodes })
  client.on('error', () => {}) // a command that fails rejects by itself
  await client.connect()
  after(() => client.destroy())
  return nodeRedisCluster(client)
}

function limiterOf(client: RedisClient): RateLimiter {
  return createRedisLimiter({ client, timeoutMs: 5000, onFault: (error) => assert.fail(String(error)) })
}

async function admitted(limiters: readonly RateLimiter[], key: string): Promise<number> {
  const decisions = limiters.flatMap((limiter) =>
    Array.from({ length: 8 }, () => limiter.consume(key, limits)),
  )
  return (await Promise.all(decisions)).filter(({ allowed }) => allowed).length
}

test('addresses of anonymous clients are counted exactly on a cluster, over several processes', async (_, cluster) => {
  const limiters = [
    limiterOf(await connect(cluster)),
    limiterOf(await connect(cluster)),
    limiterOf(await driverCluster(cluster)),
  ]
  for (let i = 0; i < 60; i++) {
    assert.equal(await admitted(limiters, `address:192.0.2.${i}`), 10)
    assert.equal(await admitted(limiters, `key:${i}`), 10)
  }
  const sizes = await Promise.all(cluster.servers.map((server) => commandOf(server, 'DBSIZE')))
  assert.ok(sizes.filter((size) => Number(size) > 0).length >= 3, sizes.join())
})

test('the keys of one server have one shard, and the shard of another server is another one', async (_, cluster) => {
  const { shardOf } = await connect(cluster)
  const shards = new Map<number, Set<number | undefined>>()
  for (let i = 0; i < 30; i++) {
    const { port } = await cluster.masterOf(`key:${i}`)
    const known = shards.get(port) ?? new Set()
    shards.set(port, known.add(shardOf?.(`key:${i}`)))
  }
  assert.deepEqual(
    [...shards.values()].map((known) => known.size),
    [1, 1, 1],
  )
  assert.equal(new Set([...shards.values()].flatMap((known) => [...known])).size, 3)
})

test('a server that stands still delays no key of the others, until its replica takes over', async (t, cluster) => {
  const connection = await connect(cluster)
  const faults: unknown[] = []
  const limiter = createRedisLimiter({
    client: connection,
    timeoutMs: 2_000, // longer than the others' requests take on a busy machine
    onFault: (error) => faults.push(error),
  })
  const master = await cluster.masterOf('pet-adoption:key:silent')
  const others: string[] = []
  for (let i = 0; others.length < 20; i++)
    if ((await cluster.masterOf(`pet-adoption:key:other-${i}`)) !== master) others.push(`key:other-${i}`)
  master.pause()
  t.after(() => master.resume())
  let settled = 0
  const silent = Array.from({ length: 400 }, async () => {
    await limiter.consume('key:silent', limits)
    settled++
  })
  for (const key of others) assert.equal((await limiter.consume(key, limits)).remaining, 9)
  assert.equal(settled, 0)
  await Promise.all(silent)
  assert.ok(faults.length > 0)
  while ((await connection.refresh()) !== undefined) await setTimeout(100)
  const taken = connectRedis(redis, {
    kind: 'cluster',
    seeds: cluster.servers.filter((each) => each !== master).map(({ port }) => ({ host: '127.0.0.1', port })),
    credentials: {},
    tls: false,
  })
  after(() => taken.close())
  await taken.refresh()
  assert.equal(await admitted([limiterOf(taken), limiterOf(connection)], 'key:after'), 10)
  master.resume()
  await cluster.settled()
})

test('slots that move to another server while requests come are counted exactly', async (_, cluster) => {
  const limiters = [limiterOf(await connect(cluster)), limiterOf(await connect(cluster))]
  const moving = Array.from({ length: 100_000 }, (_, i) => `key:${i}`).find(
    (key) => slotOf(`pet-adoption:${key}`) < 60, // the first slots of a server move first
  )
  assert.ok(moving)
  const key = `pet-adoption:${moving}`
  const from = await cluster.masterOf(key)
  const id = async (port: number) => commandOf({ port }, 'CLUSTER', 'MYID')
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
