import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { after, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { mapPart, type Part, testWith } from '../../contracts/testing/part.ts'
import { createPrivateCluster } from '../../contracts/testing/private-cluster.ts'
import type { PrivateRedis } from '../../contracts/testing/private-redis.ts'
import { createPrivateSentinel } from '../../contracts/testing/private-sentinel.ts'
import { temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { recordOf } from '../keys/key.ts'
import { type Launched, launch } from '../testing/launch.ts'
import { baseAddressOf } from '../testing/program.ts'
import { send } from '../testing/request.ts'

const newFile = temporaryFiles()
const agent = new Agent({ keepAlive: true, maxSockets: 16 })
after(() => agent.destroy())

/** What fails over, in a form that a cluster and Sentinels have in common. */
interface FailingOver {
  readonly address: string
  /** Returns the master that counts a key, as a server other than `except` knows. */
  master(key: string, except?: PrivateRedis): Promise<PrivateRedis>
}

const cluster = mapPart(
  await createPrivateCluster(),
  ({ servers, masterOf }): FailingOver => ({
    address: `redis+cluster://${servers.map(({ port }) => `127.0.0.1:${port}`).join()}`,
    master: (key, except) => masterOf(key, except),
  }),
)
const sentinel = mapPart(
  await createPrivateSentinel(),
  ({ ports, masterName, master }): FailingOver => ({
    address: `redis+sentinel://${ports.map((port) => `127.0.0.1:${port}`).join()}/${masterName}`,
    master,
  }),
)
const kinds: Readonly<Record<string, Part<FailingOver>>> = { 'a Redis Cluster': cluster, Sentinel: sentinel }

interface Server extends Launched {
  readonly base: string
}

async function startServers(redis: string, ids: readonly string[]): Promise<Server[]> {
  const keys = newFile('keys.json')
  const records = ids.map((id) => recordOf(id, `key-${id}`, { plan: 'free' }))
  writeFileSync(keys, JSON.stringify({ keys: records }))
  const servers = [1, 2, 3].map(() => launch(`--port 0 --memory --metrics --redis ${redis} --keys ${keys}`))
  return Promise.all(servers.map(async (server) => ({ ...server, base: await baseAddressOf(server) })))
}

/** Sends `each` requests with a key to each server at once. Returns how many were admitted; the limit is 60. */
async function admitted(servers: readonly Server[], id: string, each = 40): Promise<number> {
  const requests = servers.flatMap(({ base }) =>
    Array.from({ length: each }, () => send(`${base}/pets`, { key: `key-${id}`, agent })),
  )
  const statuses = (await Promise.all(requests)).map(({ status }) => status)
  assert.ok(statuses.every((status) => status === 200 || status === 429))
  return statuses.filter((status) => status === 200).length
}

async function metric({ base }: Server, series: string): Promise<number> {
  const { body } = await send(new URL('/metrics', base).href)
  const line = body.split('\n').find((text) => text.startsWith(`${series} `))
  return Number(line?.slice(series.length + 1))
}

/** Fulfills when a server has written a line for the given time. */
async function logged(
  server: Server,
  output: 'stdout' | 'stderr',
  pattern: RegExp,
  times: number,
): Promise<void> {
  while (server[output].lines.filter((line) => pattern.test(line)).length < times) await setTimeout(20)
}

const lost = /Redis is not available, so limits are counted by each server alone/
const found = /Redis is available again: limits are shared/

async function assertMode(server: Server, mode: 'shared' | 'local'): Promise<void> {
  assert.equal(await metric(server, `pet_adoption_limiter_mode{mode="${mode}"}`), 1)
  assert.equal(await metric(server, 'pet_adoption_redis_up'), mode === 'shared' ? 1 : 0)
}

/** How many failovers there were: each has keys of its own. */
let runs = 0

/** Fails the master of `id` over under load, and checks what three servers admit before, meanwhile and afterwards. */
async function failOver(
  t: TestContext,
  { address, master }: FailingOver,
  fail: (master: PrivateRedis) => void | Promise<void>,
  back: (master: PrivateRedis) => void | Promise<void>,
): Promise<void> {
  const run = `${++runs}`
  const [id, loadId] = [`meanwhile-${run}`, `load-${run}`]
  const later = Array.from({ length: 12 }, (_, i) => `later-${run}-${i}`)
  const earlier = Array.from({ length: 12 }, (_, i) => `earlier-${run}-${i}`)
  const servers = await startServers(address, [id, loadId, ...earlier, ...later])
  for (const key of earlier) assert.equal(await admitted(servers, key), 60)

  let isLoading = true
  const load = servers.map(async ({ base }) => {
    while (isLoading) {
      const { status } = await send(`${base}/pets`, { key: `key-${loadId}`, agent })
      assert.ok(status === 200 || status === 429)
      await setTimeout(10)
    }
  })
  const old = await master(`pet-adoption:key:${id}`)
  const began = performance.now()
  await fail(old)
  await Promise.all(servers.map((server) => logged(server, 'stderr', lost, 1)))
  for (const server of servers) await assertMode(server, 'local')
  const overAdmitted = (await admitted(servers, id, 80)) - 60
  await Promise.all(servers.map((server) => logged(server, 'stdout', found, 1)))
  const seconds = (performance.now() - began) / 1000
  isLoading = false
  await Promise.all(load)
  t.diagnostic(
    `shared again after ${seconds.toFixed(1)} s; ${overAdmitted} of 60 admitted too many meanwhile`,
  )
  while ((await master(`pet-adoption:key:${id}`, old)).port === old.port) await setTimeout(100)
  assert.ok(overAdmitted <= 2 * 60, `${overAdmitted} too many`)
  assert.ok(seconds < 15, `${seconds} s`)

  for (const key of later.slice(0, 6)) assert.equal(await admitted(servers, key), 60)
  await back(old)
  await setTimeout(3000)
  for (const server of servers) await assertMode(server, 'shared')
  for (const key of later.slice(6)) assert.equal(await admitted(servers, key), 60)
  for (const { child } of servers) child.kill('SIGTERM')
  assert.deepEqual(await Promise.all(servers.map(({ end }) => end)), [0, 0, 0])
}

for (const [name, part] of Object.entries(kinds)) {
  const test = testWith(part)
  test(`three servers on ${name} whose master stands still admit exactly a limit before and after`, (t, redis) =>
    failOver(
      t,
      redis,
      (master) => master.pause(),
      (master) => master.resume(),
    ))

  test(`three servers on ${name} whose master is killed admit exactly a limit before and after`, (t, redis) =>
    failOver(
      t,
      redis,
      (master) => master.stop(),
      (master) => master.start(),
    ))
}
