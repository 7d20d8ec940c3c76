import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { testWith } from '../../contracts/testing/part.ts'
import { createPrivateRedis, type PrivateRedis } from '../../contracts/testing/private-redis.ts'
import { connectTo } from '../../contracts/testing/redis.ts'
import { stop } from '../testing/command.ts'
import type { LaunchedServer } from '../testing/launch.ts'
import { type LimitedServers, limitedServers } from '../testing/limited.ts'
import type { ReceivedResponse } from '../testing/request.ts'

const redis = await createPrivateRedis()
const limited = 'value' in redis ? { value: { ...redis.value, ...(await startOn(redis.value)) } } : redis
const test = testWith(limited)
const codeOf = ({ body }: ReceivedResponse): unknown => JSON.parse(body).code

function startOn({ port }: PrivateRedis): Promise<LimitedServers> {
  return limitedServers()(3, `redis://127.0.0.1:${port}`, ['hammered', 'banned'])
}

test('three servers on one Redis, hammered at once with one key, admit together exactly its limit', async (_t, {
  assertExact,
}) => {
  await assertExact('hammered')
})

test('a ban of one server holds in all servers', async (_t, { servers: [banning, ...others], ask }) => {
  const isBanned = async (server: LaunchedServer) => codeOf(await ask(server, 'banned')) === 'api_key_banned'
  while (banning && !(await isBanned(banning)));
  for (const other of others) while (!(await isBanned(other))) await setTimeout(50)
})

test('a banned key that sends on costs Redis about one call a second for each server', async (_t, {
  port,
  servers,
  ask,
}) => {
  const client = await connectTo(`redis://127.0.0.1:${port}`)
  await client.sendCommand(['CONFIG', 'RESETSTAT'])
  const began = performance.now()
  let requests = 0
  while (performance.now() - began < 1500) {
    for (const { status } of await Promise.all(servers.map((server) => ask(server, 'banned')))) {
      assert.equal(status, 429)
      requests++
    }
    await setTimeout(5)
  }
  const seconds = (performance.now() - began) / 1000
  const stats = String(await client.sendCommand(['INFO', 'commandstats']))
  const calls = Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1])
  // One for the key, and two with which each server checks Redis.
  const most = 3 * servers.length * (seconds + 1)
  assert.ok(calls <= most, `${calls} calls in ${seconds} s`)
  assert.ok(requests > 2 * most, `${requests} requests`)
})

test('the servers stop without an error', async (_t, { servers }) => {
  await stop(...servers)
})
