import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { required, testWith } from '../../contracts/testing/part.ts'
import { runCommand } from '../../contracts/testing/private-cluster.ts'
import { createPrivateRedis, type PrivateRedis } from '../../contracts/testing/private-redis.ts'
import { stop } from '../testing/command.ts'
import { type LimitedServers, limitedServers, loadKey } from '../testing/limited.ts'
import { startLoad } from '../testing/load.ts'
import { send } from '../testing/request.ts'
import { endure, type Fault } from './testing/endure.ts'

const test = testWith(required(await createPrivateRedis()))
const startLimited = limitedServers()

const downMs = 3_000
/** The options of redis-cli once the password has changed. */
const signedIn = ['--no-auth-warning', '-a', 'another-password']

/** Starts two servers on an empty Redis. */
async function startPair(redis: PrivateRedis): Promise<LimitedServers> {
  await runCommand(redis, 'FLUSHALL')
  return startLimited(2, `redis://127.0.0.1:${redis.port}`, ['meanwhile', 'later', 'window'])
}

/** Runs a fault and asserts that no request of the first server fails. Returns the longest one, in milliseconds. */
async function endureWithout(t: TestContext, { servers }: LimitedServers, fault: Fault): Promise<number> {
  const base = servers[0]?.base ?? ''
  const { list, create } = await endure(t, startLoad(base, { key: loadKey }), base, fault, loadKey)
  assert.deepEqual([Object.keys(list.results), Object.keys(create.results)], [['200'], ['201']])
  return Math.max(list.longestMs, create.longestMs)
}

/** Takes Redis away from two servers, and checks the requests that they admit meanwhile and afterwards. */
async function loseRedis(
  t: TestContext,
  redis: PrivateRedis,
  fail: () => unknown,
  repair: () => unknown,
  losesData = false,
): Promise<void> {
  const limited = await startPair(redis)
  const { servers, ask, admitted, assertExact } = limited
  let meanwhile = 0
  let sharedMs = 0
  const began = performance.now()
  // The whole limit, without a rejection that a server would remember.
  let inWindow = await admitted('window', 30)
  assert.equal(inWindow, 60)
  const longestMs = await endureWithout(t, limited, {
    async fail() {
      await fail()
      for (const server of servers) for (let i = 0; i < 4; i++) await ask(server, 'load')
      meanwhile = await admitted('meanwhile', 80)
      inWindow += await admitted('window', 80)
    },
    ms: downMs,
    async repair() {
      const repairedAt = performance.now()
      await repair()
      await Promise.all(servers.map(({ stdout }) => stdout.until(/Redis is available again/)))
      sharedMs = performance.now() - repairedAt
    },
  })
  t.diagnostic(`${meanwhile} of 60 admitted by two servers; shared again after ${sharedMs.toFixed()} ms`)
  assert.ok(longestMs < 1_500)
  assert.ok(meanwhile > 60 && meanwhile <= 120)
  assert.ok(sharedMs < 4_000, `${sharedMs} ms`)
  inWindow += await admitted('window', 80)
  const most = (servers.length + (losesData ? 2 : 1)) * 60
  const seconds = Math.ceil((performance.now() - began) / 1_000)
  t.diagnostic(
    `${inWindow} of 60 admitted before, during and after the outage, in ${seconds} s; bound ${most}`,
  )
  assert.ok(inWindow <= most + servers.length * seconds, `${inWindow} of ${most}`)
  await assertExact('later', 80)
  await stop(...servers)
}

test('each server counts alone while a killed Redis restarts', (t, redis) =>
  loseRedis(t, redis, redis.stop, redis.start, true))

test('each server counts alone while Redis is stopped by SIGSTOP', (t, redis) =>
  loseRedis(t, redis, redis.pause, redis.resume))

test('each server counts alone while Redis has another password', (t, redis) =>
  loseRedis(
    t,
    redis,
    async () => {
      await runCommand(redis, 'CONFIG', 'SET', 'requirepass', 'another-password')
      await runCommand(redis, ...signedIn, 'CLIENT', 'KILL', 'TYPE', 'normal')
    },
    () => runCommand(redis, ...signedIn, 'CONFIG', 'SET', 'requirepass', ''),
  ))

test('a full Redis counts keys and addresses of all servers', async (t, redis) => {
  const limited = await startPair(redis)
  const { servers, admitted } = limited
  let meanwhile = 0
  const remaining: number[] = []
  await endureWithout(t, limited, {
    async fail() {
      await runCommand(redis, 'CONFIG', 'SET', 'maxmemory', '1')
      meanwhile = await admitted('meanwhile', 80)
      for (const { base } of servers)
        remaining.push(Number((await send(`${base}/pets`)).headers['x-ratelimit-remaining']))
    },
    ms: 2_000,
    repair: () => runCommand(redis, 'CONFIG', 'SET', 'maxmemory', '0'),
  })
  t.diagnostic(`${meanwhile} of 60 admitted by two servers`)
  assert.equal(meanwhile, 60)
  assert.deepEqual(remaining, [59, 58])
  // a busy machine may be late once
  for (const { stderr } of servers) assert.doesNotMatch(stderr.text, /Redis(?!.* did not respond within)/)
  await stop(...servers)
})
