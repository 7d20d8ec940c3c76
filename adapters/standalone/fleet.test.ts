import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { testWith } from '../contracts/testing/part.ts'
import { createPrivateRedis, type PrivateRedis } from '../contracts/testing/private-redis.ts'
import { connectTo } from '../contracts/testing/redis.ts'
import { assertStored, readAll, startCreating, unlimited } from './testing/animals.ts'
import { stop } from './testing/command.ts'
import { type LaunchedServer, launchServer } from './testing/launch.ts'
import { type LimitedServers, limitedServers } from './testing/limited.ts'
import { type ReceivedResponse, send } from './testing/request.ts'
import { temporaryDatabases } from './testing/storages.ts'

const databases = await temporaryDatabases()
const redis = await createPrivateRedis()

/** Three servers, started at once. */
async function startFleet(
  commandLine: string,
  env: Readonly<Record<string, string>> = {},
): Promise<LaunchedServer[]> {
  return Promise.all([1, 2, 3].map(() => launchServer(`--port 0 --log silent ${commandLine}`, { env })))
}

testWith(databases)(
  'three servers that start at once on an empty database create, list and page as one',
  async (_t, newDatabase) => {
    const fleet = await startFleet(`--postgres ${await newDatabase()}`, unlimited)
    const creators = fleet.map(({ base }, i) => startCreating(base, 4, i))
    await Promise.all(creators.map(({ more }) => more(150)))
    const before = creators.flatMap(({ acknowledged }) => [...acknowledged])
    for (const { base } of fleet) assertStored(await readAll(base), before)
    await Promise.all(creators.map(({ end }) => end()))
    const acknowledged = creators.flatMap((each) => each.acknowledged)
    const [first = [], second, third] = await Promise.all(fleet.map(({ base }) => readAll(base)))
    assertStored(first, acknowledged)
    assert.equal(first.length, acknowledged.length)
    assert.deepEqual([second, third], [first, first])
    assert.deepEqual(
      creators.flatMap(({ otherResponses }) => otherResponses),
      [],
    )
    await stop(...fleet)
  },
)

testWith(databases)(
  'of two hundred requests with one Idempotency-Key at once, on several servers, one adds an animal',
  async (_t, newDatabase) => {
    const fleet = await startFleet(`--postgres ${await newDatabase()}`, unlimited)
    const add = ({ base }: LaunchedServer) =>
      send(`${base}/pets`, {
        method: 'POST',
        key: 'the-key-of-the-tests',
        idempotencyKey: 'rex',
        body: '{"name":"Rex","categoryId":1}',
      })
    const servers = Array.from({ length: 200 }, (_, i) => fleet[i % fleet.length] ?? assert.fail())
    const responses = await Promise.all(servers.map(add))
    const [first, ...others] = responses.filter(
      ({ status, headers }) => status === 201 && headers['idempotency-replayed'] === undefined,
    )
    assert.ok(first)
    assert.deepEqual(others, [])
    for (const { status, headers, body } of responses)
      if (status === 201) assert.equal(body, first.body)
      else assert.deepEqual([status, headers['retry-after']], [409, '1'])
    for (const server of fleet) {
      const { headers, body } = await add(server)
      assert.deepEqual([headers['idempotency-replayed'], body], ['true', first.body])
      assert.equal((await readAll(server.base)).length, 1)
    }
    await stop(...fleet)
  },
)

const limited = 'value' in redis ? { value: { ...redis.value, ...(await startOn(redis.value)) } } : redis
const test = testWith(limited)
const codeOf = ({ body }: ReceivedResponse): unknown => JSON.parse(body).code

function startOn({ port }: PrivateRedis): Promise<LimitedServers> {
  return limitedServers()(3, `redis://127.0.0.1:${port}`, ['hammered', 'banned', 'healed'])
}

test('three servers on one Redis, hammered at once with one key, admit together exactly its limit', async (_t, {
  admitted,
}) => {
  assert.equal(await admitted('hammered'), 60)
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
  assert.ok(requests > 2 * servers.length * (seconds + 1), `${requests} requests`)
  assert.ok(calls <= servers.length * (seconds + 1), `${calls} calls in ${seconds} s`)
})

test('a Redis that was restarted empty is shared again, and the servers stop without an error', async (_t, {
  servers,
  ask,
  ...redis
}) => {
  const [one, two] = servers
  assert.ok(one && two)
  await redis.stop()
  for (const server of servers) assert.equal((await ask(server, 'healed')).status, 200)
  await redis.start()
  const remaining = async (server: LaunchedServer) =>
    Number((await ask(server, 'healed')).headers['x-ratelimit-remaining'])
  while ((await remaining(one)) - (await remaining(two)) !== 1) await setTimeout(300)
  await stop(...servers)
})
