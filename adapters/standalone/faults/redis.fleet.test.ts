import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { after, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { installed, testWith } from '../../contracts/testing/part.ts'
import { commandOf } from '../../contracts/testing/private-cluster.ts'
import { createPrivateRedis, type PrivateRedis } from '../../contracts/testing/private-redis.ts'
import { temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { recordOf } from '../keys/key.ts'
import { type LaunchedServer, launchServer } from '../testing/launch.ts'
import { startLoad } from '../testing/load.ts'
import { send } from '../testing/request.ts'
import { endure } from './testing/endure.ts'

const test = testWith(installed(await createPrivateRedis()))
const newFile = temporaryFiles()
const agent = new Agent({ keepAlive: true, maxSockets: 16 })
after(() => agent.destroy())

const downMs = 3_000

/** Starts two servers with a key without limits, `key-load`, and keys of 60 requests a minute. */
async function startServers(port: number): Promise<readonly [LaunchedServer, LaunchedServer]> {
  const keys = newFile('keys.json')
  const limits = { minute: 10_000_000, day: 100_000_000 }
  const records = [
    recordOf('load', 'key-load', { plan: 'enterprise', limits }),
    ...['meanwhile', 'later'].map((id) => recordOf(id, `key-${id}`, { plan: 'free' })),
  ]
  writeFileSync(keys, JSON.stringify({ keys: records }))
  const start = () => launchServer(`--port 0 --memory --redis redis://127.0.0.1:${port} --keys ${keys}`)
  return [await start(), await start()]
}

/** Sends 80 requests with a key to each server. Returns how many were admitted; the limit is 60. */
async function admitted(servers: readonly LaunchedServer[], id: string): Promise<number> {
  const requests = servers.flatMap(({ base }) =>
    Array.from({ length: 80 }, () => send(`${base}/pets`, { key: `key-${id}`, agent })),
  )
  const statuses = (await Promise.all(requests)).map(({ status }) => status)
  assert.ok(statuses.every((status) => status === 200 || status === 429))
  return statuses.filter((status) => status === 200).length
}

async function stop(servers: readonly LaunchedServer[]): Promise<void> {
  for (const { child } of servers) child.kill('SIGTERM')
  for (const { end } of servers) assert.equal(await end, 0)
}

/** Lets two servers endure the loss of Redis, and checks what they admit meanwhile and afterwards. */
async function loseRedis(
  t: TestContext,
  redis: PrivateRedis,
  fail: () => unknown,
  repair: () => unknown,
): Promise<void> {
  await commandOf(redis, 'FLUSHALL')
  const servers = await startServers(redis.port)
  const [first] = servers
  const load = startLoad(first.base, { key: 'key-load' })
  let meanwhile = 0
  let sharedMs = 0
  const { list, create } = await endure(
    t,
    load,
    first.base,
    {
      async fail() {
        await fail()
        for (const { base } of servers)
          for (let i = 0; i < 4; i++) await send(`${base}/pets`, { key: 'key-load' })
        meanwhile = await admitted(servers, 'meanwhile')
      },
      ms: downMs,
      async repair() {
        const repairedAt = performance.now()
        await repair()
        await Promise.all(servers.map(({ stdout }) => stdout.until(/Redis is available again/)))
        sharedMs = performance.now() - repairedAt
      },
    },
    'key-load',
  )
  t.diagnostic(`${meanwhile} of 60 admitted by two servers; shared again after ${sharedMs.toFixed()} ms`)
  assert.deepEqual([Object.keys(list.results), Object.keys(create.results)], [['200'], ['201']])
  assert.ok(Math.max(list.longestMs, create.longestMs) < 1_500)
  assert.ok(meanwhile > 60 && meanwhile <= 120)
  assert.ok(sharedMs < 4_000, `${sharedMs} ms`)
  assert.equal(await admitted(servers, 'later'), 60)
  await stop(servers)
}

test('without a Redis that is killed and started again, each server counts alone', (t, redis) =>
  loseRedis(t, redis, redis.stop, redis.start))

test('without a Redis that stands still, each server counts alone', (t, redis) =>
  loseRedis(t, redis, redis.pause, redis.resume))

test('without a Redis whose password has changed, each server counts alone', (t, redis) =>
  loseRedis(
    t,
    redis,
    async () => {
      await commandOf(redis, 'CONFIG', 'SET', 'requirepass', 'another-password')
      await commandOf(
        redis,
        '--no-auth-warning',
        '-a',
        'another-password',
        'CLIENT',
        'KILL',
        'TYPE',
        'normal',
      )
    },
    () => commandOf(redis, '--no-auth-warning', '-a', 'another-password', 'CONFIG', 'SET', 'requirepass', ''),
  ))

test('a Redis that is full counts the keys of all servers, and each server counts addresses alone', async (t, redis) => {
  await commandOf(redis, 'FLUSHALL')
  const servers = await startServers(redis.port)
  const [first, second] = servers
  let meanwhile = 0
  let sharedMs = 0
  const remaining = new Set<unknown>()
  const { list, create } = await endure(
    t,
    startLoad(first.base, { key: 'key-load' }),
    first.base,
    {
      async fail() {
        await commandOf(redis, 'CONFIG', 'SET', 'maxmemory', '1')
        meanwhile = await admitted(servers, 'meanwhile')
        for (const { base } of [first, second])
          remaining.add((await send(`${base}/pets`)).headers['x-ratelimit-remaining'])
      },
      ms: 2_000,
      async repair() {
        const repairedAt = performance.now()
        await commandOf(redis, 'CONFIG', 'SET', 'maxmemory', '0')
        while (!/Redis has memory for client addresses again/.test(first.stdout.text)) {
          await send(`${first.base}/pets`)
          await setTimeout(100)
        }
        sharedMs = performance.now() - repairedAt
      },
    },
    'key-load',
  )
  t.diagnostic(
    `${meanwhile} of 60 admitted by two servers; addresses are shared again after ${sharedMs.toFixed()} ms`,
  )
  assert.deepEqual([Object.keys(list.results), Object.keys(create.results)], [['200'], ['201']])
  assert.equal(meanwhile, 60)
  assert.ok(sharedMs < 4_000, `${sharedMs} ms`)
  assert.deepEqual([...remaining], ['59'])
  await stop(servers)
})
