import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { testWith } from '../contracts/testing/part.ts'
import { createPrivateRedis } from '../contracts/testing/private-redis.ts'
import { connectTo } from '../contracts/testing/redis.ts'
import { temporaryFiles } from '../contracts/testing/sqlite.ts'
import { recordOf } from './keys/key.ts'
import { assertStored, readAll, startCreating, unlimited } from './testing/animals.ts'
import { temporaryDatabases } from './testing/database.ts'
import { type LaunchedServer, launchServer } from './testing/launch.ts'
import { type ReceivedResponse, send } from './testing/request.ts'

const databases = await temporaryDatabases()
const redis = await createPrivateRedis()
const newFile = temporaryFiles()
const agent = new Agent({ keepAlive: true, maxSockets: 8 })
after(() => agent.destroy())

/** Three servers, started at once. */
async function startFleet(
  commandLine: string,
  env: Readonly<Record<string, string>> = {},
): Promise<LaunchedServer[]> {
  return Promise.all([1, 2, 3].map(() => launchServer(`--port 0 --log silent ${commandLine}`, { env })))
}

async function stopFleet(fleet: readonly LaunchedServer[]): Promise<void> {
  for (const { child } of fleet) child.kill('SIGTERM')
  assert.deepEqual(await Promise.all(fleet.map(({ end }) => end)), [0, 0, 0])
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
    await stopFleet(fleet)
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
    await stopFleet(fleet)
  },
)

const fleet = 'value' in redis ? await startLimitedFleet(redis.value.port) : []
const test = testWith(redis)
const ask = ({ base }: LaunchedServer, key: string): Promise<ReceivedResponse> =>
  send(`${base}/pets`, { key, agent })
const codeOf = ({ body }: ReceivedResponse): unknown => JSON.parse(body).code
const remainingOf = ({ headers }: ReceivedResponse): number => Number(headers['x-ratelimit-remaining'])

function startLimitedFleet(port: number): Promise<LaunchedServer[]> {
  const keys = newFile('keys.json')
  const records = ['hammered', 'banned', 'healed'].map((id) => recordOf(id, `key-${id}`, { plan: 'free' }))
  writeFileSync(keys, JSON.stringify({ keys: records }))
  return startFleet(`--memory --redis redis://127.0.0.1:${port} --keys ${keys}`)
}

test('three servers on one Redis, hammered at once with one key, admit together exactly its limit', async () => {
  const hammer = (server: LaunchedServer) => Array.from({ length: 40 }, () => ask(server, 'key-hammered'))
  const statuses = (await Promise.all(fleet.flatMap(hammer))).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 200).length, 60)
  assert.equal(statuses.filter((status) => status === 429).length, 60)
})

test('a ban of one server holds in all servers', async () => {
  const [banning, ...others] = fleet
  const isBanned = async (server: LaunchedServer) =>
    codeOf(await ask(server, 'key-banned')) === 'api_key_banned'
  while (banning && !(await isBanned(banning)));
  for (const other of others) while (!(await isBanned(other))) await setTimeout(50)
})

test('a banned key that sends on costs Redis about one call a second for each server', async (_t, {
  port,
}) => {
  const client = await connectTo(`redis://127.0.0.1:${port}`)
  await client.sendCommand(['CONFIG', 'RESETSTAT'])
  const began = performance.now()
  let requests = 0
  while (performance.now() - began < 1500) {
    for (const { status } of await Promise.all(fleet.map((server) => ask(server, 'key-banned')))) {
      assert.equal(status, 429)
      requests++
    }
    await setTimeout(5)
  }
  const seconds = (performance.now() - began) / 1000
  const stats = String(await client.sendCommand(['INFO', 'commandstats']))
  const calls = Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1])
  assert.ok(requests > 2 * fleet.length * (seconds + 1), `${requests} requests`)
  assert.ok(calls <= fleet.length * (seconds + 1), `${calls} calls in ${seconds} s`)
})

test('a Redis that was restarted empty is shared again', async (_t, { start, stop }) => {
  const [one, two] = fleet
  assert.ok(one && two)
  await stop()
  for (const server of fleet) assert.equal((await ask(server, 'key-healed')).status, 200)
  await start()
  const remaining = async (server: LaunchedServer) => remainingOf(await ask(server, 'key-healed'))
  while ((await remaining(one)) - (await remaining(two)) !== 1) await setTimeout(300)
})

test('the servers of the fleet stop without an error', () => stopFleet(fleet))
